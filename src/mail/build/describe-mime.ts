// Says what the message will look like that build-mime.ts writes: its header fields and its tree of parts, the same
// before and after it is built. Knows nothing of where it goes.
import type { MailAddress } from '../mail-address.ts'
import type { MimePart } from '../mime-part.ts'
import { shownContentType } from './file-part.ts'
import { decodedSize, layoutOf, type OutgoingMessage, type Part } from './layout.ts'
import { transferEncodingOf } from './mime-body.ts'

export interface DescribedMessage {
  /** Decoded, in their order. */
  headers: { name: string; value: string }[]
  mime: MimePart
}

export function describeMime(message: OutgoingMessage): DescribedMessage {
  const mime = describe(layoutOf(message))
  const headers = [
    { name: 'Message-ID', value: message.messageId },
    { name: 'Date', value: message.date.toUTCString().replace('GMT', '+0000') },
    { name: 'From', value: shown([message.from]) },
    { name: 'To', value: shown(message.to) },
    ...(message.cc.length > 0 ? [{ name: 'Cc', value: shown(message.cc) }] : []),
    { name: 'Subject', value: message.subject },
    ...(message.inReplyTo ? [{ name: 'In-Reply-To', value: message.inReplyTo }] : []),
    ...(message.references?.length ? [{ name: 'References', value: message.references.join(' ') }] : []),
    { name: 'MIME-Version', value: '1.0' },
    { name: 'Content-Type', value: contentTypeOf(mime) },
    ...(mime.parts.length === 0 ? [{ name: 'Content-Transfer-Encoding', value: mime.encoding }] : []),
  ]
  return { headers, mime }
}

function describe(part: Part): MimePart {
  return { ...BARE, partId: part.partId, sizeBytes: decodedSize(part), ...ownOf(part) }
}

const BARE = { disposition: null, filename: null, contentId: null, parts: [] as MimePart[] } as const

function ownOf(part: Part): Pick<MimePart, 'contentType' | 'parameters' | 'encoding'> & Partial<MimePart> {
  switch (part.kind) {
    case 'text':
      return {
        contentType: part.contentType,
        parameters: { charset: 'utf-8' },
        encoding: transferEncodingOf(part.text),
        parts: [],
      }
    case 'file':
      return {
        ...shownContentType(part.attachment.mediaType),
        disposition: part.inline ? 'inline' : 'attachment',
        filename: part.attachment.filename,
        contentId: part.inline ? part.attachment.id : null,
        encoding: 'base64',
        parts: [],
      }
    case 'multipart':
      return {
        contentType: `multipart/${part.subtype}`,
        parameters: { boundary: part.boundary },
        encoding: '7bit',
        parts: part.parts.map(describe),
      }
  }
}

function contentTypeOf({ contentType, parameters }: MimePart): string {
  const [name, value] = Object.entries(parameters)[0] as [string, string]
  return `${contentType}; ${name}=${name === 'boundary' ? `"${value}"` : value}`
}

function shown(addresses: readonly MailAddress[]): string {
  return addresses.map(({ address, name }) => (name ? `${name} <${address}>` : address)).join(', ')
}
