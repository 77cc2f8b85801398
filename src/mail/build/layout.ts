// Which parts a message has and how they lie in one another. Pure: the same message always gives the same tree.
// RFC 2045 and 2046; RFC 2387 for related parts, RFC 2392 for what the html refers to.
import { hash } from 'node:crypto'
import type { MailAddress } from '../mail-address.ts'
import { normalLines } from './mime-body.ts'

export interface OutgoingAttachment {
  id: string
  filename: string
  mediaType: string
  sizeBytes: number
}

export interface OutgoingMessage {
  /** The Message-ID field with its angle brackets. */
  messageId: string
  date: Date
  from: MailAddress
  to: readonly MailAddress[]
  cc: readonly MailAddress[]
  subject: string
  /** With their angle brackets, and nothing that a line of its own cannot hold. */
  inReplyTo?: string | null
  references?: readonly string[]
  text: string | null
  html: string | null
  attachments?: readonly OutgoingAttachment[]
  /** Written by the service of its own accord, so that nothing answers it by itself (RFC 3834 §5). */
  autoSubmitted?: true
}

interface Place {
  /** `1` for the message itself, `1.2` for its second part. */
  partId: string
}

export interface TextPart extends Place {
  kind: 'text'
  contentType: 'text/plain' | 'text/html'
  text: string
}

export interface FilePart extends Place {
  kind: 'file'
  attachment: OutgoingAttachment
  /** Shown within the html, which refers to it by `cid:` and its id. */
  inline: boolean
}

export interface MultiPart extends Place {
  kind: 'multipart'
  subtype: 'mixed' | 'alternative' | 'related'
  boundary: string
  parts: Part[]
}

export type Part = TextPart | FilePart | MultiPart

type Placed = (partId: string) => Part

/** mixed(alternative(text, related(html, inline files)), files), without the layers that would hold one part. */
export function layoutOf(message: OutgoingMessage): Part {
  const { text, html, attachments = [] } = message
  const lowerHtml = attachments.length > 0 ? (html?.toLowerCase() ?? '') : ''
  const isInline = ({ id }: OutgoingAttachment) => lowerHtml.includes(`cid:${id.toLowerCase()}`)
  const file =
    (attachment: OutgoingAttachment, inline: boolean): Placed =>
    (partId) => ({ kind: 'file', partId, attachment, inline })
  const body: Placed[] = []
  if (text !== null || html === null) body.push(textPart('text/plain', text ?? ''))
  if (html !== null) {
    const shown = attachments.filter(isInline).map((attachment) => file(attachment, true))
    body.push(multipart(message, 'related', [textPart('text/html', html), ...shown]))
  }
  const others = attachments.filter((attachment) => !isInline(attachment)).map((attachment) => file(attachment, false))
  return multipart(message, 'mixed', [multipart(message, 'alternative', body), ...others])('1')
}

function textPart(contentType: TextPart['contentType'], text: string): Placed {
  return (partId) => ({ kind: 'text', partId, contentType, text })
}

/** One part alone stands for itself. */
function multipart(message: OutgoingMessage, subtype: MultiPart['subtype'], parts: Placed[]): Placed {
  const [only, ...more] = parts
  if (only && more.length === 0) return only
  return (partId) => ({
    kind: 'multipart',
    partId,
    subtype,
    boundary: boundaryOf(message, partId),
    parts: parts.map((place, i) => place(`${partId}.${i + 1}`)),
  })
}

/** Nobody who writes a text can know the digest of an id that is given later: no text can hold it by intent. */
function boundaryOf({ messageId }: OutgoingMessage, partId: string): string {
  return `=_${hash('sha256', `${partId} ${messageId}`, 'hex').slice(0, 32)}`
}

/** Where each attachment lies, by its id. */
export function partIdsOf(part: Part): Map<string, string> {
  if (part.kind === 'file') return new Map([[part.attachment.id, part.partId]])
  if (part.kind === 'text') return new Map()
  return new Map(part.parts.flatMap((child) => [...partIdsOf(child)]))
}

/** The size of a part's content as its reader has it. */
export function decodedSize(part: Part): number {
  if (part.kind === 'text') return Buffer.byteLength(normalLines(part.text))
  if (part.kind === 'file') return part.attachment.sizeBytes
  return part.parts.reduce((sum, child) => sum + decodedSize(child), 0)
}
