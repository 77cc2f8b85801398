// The structure of a message and the exact bytes of its parts, taken from the tree that postal-mime builds while it
// reads. That tree is not part of its public interface: this file alone reaches for it, the version is pinned, and
// the tests beside it fail when the tree changes.
//
// Bodies are decoded here instead of by the library. It keeps an object for every line, which a large text turns into
// hundreds of megabytes, it changes line breaks and adds one at the end, so that the digest of an attachment would match
// nothing that the sender has, and it knows the charsets of browsers only.
import PostalMime from 'postal-mime'
import { decodeWords, toUtf8Line } from './encoded-words.ts'
import { createHeaderEnd } from './header-end.ts'
import { joinSections, type Parameters } from './parameters.ts'
import {
  MAX_FILENAME_CHARS,
  MAX_HEADER_BYTES,
  MAX_NESTING_DEPTH,
  MAX_PARTS,
  MAX_PARTS_HEADER_BYTES,
} from './parsed-message.ts'
import { decodeTransfer } from './transfer-decoding.ts'

/** A node of postal-mime's tree: what is read of it here. */
export interface MimeNode {
  readonly state: 'header' | 'body' | 'finished'
  readonly childNodes: readonly MimeNode[]
  readonly headers: readonly HeaderField[]
  readonly contentType: StructuredField & { multipart: string | false }
  readonly contentDisposition: StructuredField
  readonly contentTransferEncoding: { encoding: string }
  readonly contentId?: string
  /** Decoded, once the parser is done; of a multipart whatever stands outside its parts. */
  readonly content: ArrayBuffer | null
  contentDecoder: ContentDecoder | null
  parseStructuredHeader(value: string): StructuredHeader
}

/** A field of a header, unfolded. */
export interface HeaderField {
  /** In lower case. */
  key: string
  originalKey: string
  value: string
}

interface StructuredField {
  /** Unfolded. */
  value: string
  parsed: StructuredHeader
}

interface StructuredHeader {
  value: string
  params: Parameters
}

/** Takes a body line by line, without line breaks. */
interface ContentDecoder {
  update(line: Uint8Array): void
  finalize(): Promise<ArrayBuffer>
}

interface Internals {
  readonly root: MimeNode
  readonly currentNode: MimeNode
  readPos: number
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>
  finalize(): Promise<void>
  collectNode(): Promise<void>
  renderTextContent(): void
  buildMessage(): object
}

/**
 * Reads the tree of a message up to the part behind MAX_PARTS; `raw` must cover its buffer from end to end. Of the
 * library only its reading of lines is used: what it would make of the tree besides, text of HTML and lists of
 * addresses, takes the square or the cube of what a stranger writes there.
 * @throws Error when the structure is beyond MAX_NESTING_DEPTH or MAX_PARTS_HEADER_BYTES
 */
export async function readMimeTree(raw: Uint8Array<ArrayBuffer>): Promise<MimeNode> {
  const parser = new PostalMime({ maxNestingDepth: MAX_NESTING_DEPTH, maxHeadersSize: MAX_PARTS_HEADER_BYTES })
  const internals = parser as unknown as Internals
  const { root } = internals
  const processLine = internals.processLine.bind(parser)
  const endsHeader = createHeaderEnd(raw)
  let node: MimeNode | null = null
  let headerBytes = 0
  let parts = 1
  let last = root
  internals.processLine = async (bytes, isFinal) => {
    let line = bytes
    const { currentNode } = internals
    if (currentNode.state === 'header' && endsHeader(line, currentNode === root)) await processLine(NOTHING, false)
    if (currentNode.state === 'header') {
      line = toUtf8Line(line)
      if (currentNode === root) headerBytes += bytes.length
      if (headerBytes > MAX_HEADER_BYTES) throw new Error('the header is too large')
    } else if (currentNode !== node && currentNode.state === 'body') {
      node = currentNode
      node.contentDecoder = exactDecoder(raw, node, node === root)
    }
    await processLine(line, isFinal)
    if (internals.currentNode === last) return
    last = internals.currentNode
    if (last.state === 'header') parts += 1
    if (parts > MAX_PARTS && !isFinal) {
      internals.readPos = raw.length
      await internals.finalize()
    }
  }
  internals.collectNode = async () => {}
  internals.renderTextContent = () => {}
  internals.buildMessage = () => ({})
  await parser.parse(raw.buffer)
  return root
}

const NOTHING = new Uint8Array(0)

/** The parameters of a field: what continues in several, or names its charset, whole and decoded. */
export function parametersOf(node: MimeNode, field: StructuredField): Parameters {
  if (!field.value.includes('*')) return field.parsed.params
  // The library would join them by the charsets that it knows, and leaves alone what has no asterisk.
  const { params } = node.parseStructuredHeader(field.value.replaceAll('*', ASTERISK))
  const raw = Object.entries(params).map(([key, value]) => [
    key.replaceAll(ASTERISK, '*'),
    value.replaceAll(ASTERISK, '*'),
  ])
  return joinSections(Object.fromEntries(raw))
}

/** A character that Unicode keeps free for such. */
const ASTERISK = '\uFDD0'

/**
 * The name of a part: RFC 2183 `filename` or, older, the `name` of the type; either may hold encoded words, which
 * may hold control characters, which no filename of ours does.
 */
export function filenameOf(node: MimeNode): string | null {
  const name = parametersOf(node, node.contentDisposition).filename || parametersOf(node, node.contentType).name
  return name
    ? decodeWords(name)
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, MAX_FILENAME_CHARS) || null
    : null
}

/**
 * The type of a part: `text/plain` where what stands there is none (RFC 2045 5.2), unless it is a file by its name or
 * encoding. Words behind the type belong to parameters whose semicolon was forgotten.
 */
export function contentTypeOf(node: MimeNode): string {
  const type = node.contentType.parsed.value.split(/[\s,]/, 1)[0] ?? ''
  if (type.includes('/')) return type
  const isFile = filenameOf(node) !== null || node.contentTransferEncoding.encoding.includes('base64')
  return isFile ? 'application/octet-stream' : 'text/plain'
}

/**
 * Notes where the body lies instead of gathering it. The line break before a boundary belongs to the boundary
 * (RFC 2046 5.1.1); only the root has none behind it.
 */
function exactDecoder(raw: Uint8Array<ArrayBuffer>, node: MimeNode, isRoot: boolean): ContentDecoder {
  let start = -1
  let end = -1
  return {
    update(line) {
      if (start === -1) start = line.byteOffset
      end = line.byteOffset + line.byteLength
    },
    async finalize() {
      if (start === -1) return new ArrayBuffer(0)
      const body = raw.subarray(start, isRoot && !node.contentType.multipart ? raw.length : end)
      return decodeTransfer(body, node.contentTransferEncoding.encoding).buffer
    },
  }
}
