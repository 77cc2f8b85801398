// Reads one raw message with postal-mime. Runs within the parse thread, for it takes as long as the message is
// large: nothing on the event loop may call it. Knows nothing of threads.

import { createHash } from 'node:crypto'
import type { MimePart } from '../mime-part.ts'
import { bodyPartsOf, isUnmarked } from './body-parts.ts'
import { cutBody, storableText } from './body-text.ts'
import { headerLength, readHeaders } from './message-headers.ts'
import { contentTypeOf, filenameOf, type MimeNode, parametersOf, readMimeTree } from './mime-tree.ts'
import {
  MAX_ATTACHMENTS,
  MAX_FALLBACK_HEADER_BYTES,
  MAX_PARTS,
  type ParsedAttachment,
  type ParsedMessage,
  type ParseFault,
  unreadableMessage,
} from './parsed-message.ts'
import { makePreview } from './preview.ts'
import { type Contents, renderHtml, renderText } from './render-bodies.ts'

/**
 * Reads a message whole. `raw` must own its buffer.
 * @throws Error when its structure is beyond our limits (MAX_NESTING_DEPTH, MAX_HEADER_BYTES and its like).
 */
export async function parseMessage(raw: Uint8Array<ArrayBuffer>): Promise<ParsedMessage> {
  const root = await readMimeTree(raw)
  const { mime, contents, complete } = readStructure(root)
  const bodies = bodyPartsOf(mime)
  const text = cutBody(renderText(bodies.text, contents))
  const html = cutBody(renderHtml(bodies.html, contents))
  const shown = new Set([...bodies.text, ...bodies.html])
  const files = [...contents].filter(([part]) => !shown.has(part)).slice(0, MAX_ATTACHMENTS)
  return storable({
    readable: complete ? 'whole' : 'partly',
    fault: null,
    ...readHeaders(root.headers),
    text: text.text,
    textTruncated: text.truncated,
    html: html.text,
    htmlTruncated: html.truncated,
    preview: makePreview(text.text, html.text),
    mime,
    attachments: files.map(([part, content]) => toAttachment(part, content)),
  })
}

/** Reads no more than the header, of a message whose whole was too much. `raw` may be its beginning only. */
export async function parseHeaders(raw: Uint8Array, fault: ParseFault): Promise<ParsedMessage> {
  const header = raw.slice(0, Math.min(headerLength(raw), MAX_FALLBACK_HEADER_BYTES))
  const { headers } = await readMimeTree(new Uint8Array(header))
  return storable({ ...unreadableMessage(fault), ...readHeaders(headers), readable: 'headers-only' })
}

interface Structure {
  mime: MimePart
  /** Of every part that holds no others, in their order. */
  contents: Contents
  /** False when parts were left out: MAX_PARTS. */
  complete: boolean
}

function readStructure(root: MimeNode): Structure {
  const contents: Contents = new Map()
  let seen = 0
  let complete = true

  /** MAX_NESTING_DEPTH bounds the recursion. */
  function read(node: MimeNode, partId: string): MimePart {
    seen += 1
    const parts: MimePart[] = []
    for (const child of node.childNodes) {
      if (seen >= MAX_PARTS) {
        complete = false
        break
      }
      parts.push(read(child, `${partId}.${parts.length + 1}`))
    }
    const part: MimePart = {
      partId,
      contentType: contentTypeOf(node),
      parameters: parametersOf(node, node.contentType),
      disposition: node.contentDisposition.parsed.value || null,
      filename: filenameOf(node),
      contentId: node.contentId?.replace(/^<|>$/g, '') || null,
      encoding: node.contentTransferEncoding.encoding || '8bit',
      sizeBytes: parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      parts,
    }
    const content = new Uint8Array(node.content ?? new ArrayBuffer(0))
    if (parts.length === 0 && !(isUnmarked(part) && isBlank(content))) {
      part.sizeBytes = content.byteLength
      contents.set(part, content)
    }
    return part
  }

  const mime = read(root, '1')
  return { mime, contents, complete }
}

function isBlank(content: Uint8Array): boolean {
  return content.every((byte) => byte <= 0x20)
}

function toAttachment(part: MimePart, content: Uint8Array<ArrayBuffer>): ParsedAttachment {
  return {
    partId: part.partId,
    filename: part.filename ?? `part-${part.partId}${EXTENSIONS[part.contentType] ?? ''}`,
    mediaType: MEDIA_TYPE.test(part.contentType) ? part.contentType : 'application/octet-stream',
    disposition: part.disposition === 'inline' ? 'inline' : 'attachment',
    contentId: part.contentId,
    sizeBytes: content.byteLength,
    sha256: createHash('sha256').update(content).digest('hex'),
    content,
  }
}

/** RFC 6838 4.2, and no longer than specification.md#limits-of-a-message allows. */
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** Of the types that usually come without a name. */
const EXTENSIONS: Record<string, string> = {
  'message/rfc822': '.eml',
  'text/calendar': '.ics',
  'text/plain': '.txt',
  'text/html': '.html',
  'text/csv': '.csv',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'application/pdf': '.pdf',
}

/** Every text within, keys included, made fit for the database. */
function storable<T>(value: T): T
function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map((item) => storable(item))
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)]))
}
