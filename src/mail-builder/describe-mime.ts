// Says what the message will look like that build-mime.ts writes: its header fields and its tree of parts, the same
// before and after it is built. Knows nothing of where it goes.
import { boundaryOf, type OutgoingMessage } from './build-mime.ts'
import { normalLines, transferEncodingOf } from './mime-body.ts'
import type { MailAddress } from './mime-header.ts'

export interface DescribedPart {
  /** `1` for the message itself, `1.2` for its second part. */
  partId: string
  contentType: string
  parameters: Record<string, string>
  disposition: string | null
  filename: string | null
  contentId: string | null
  encoding: string
  /** Decoded. Of a multipart: of all its parts. */
  sizeBytes: number
  parts: DescribedPart[]
}

export interface DescribedMessage {
  /** Decoded, in their order. */
  headers: { name: string; value: string }[]
  mime: DescribedPart
}

export function describeMime(message: OutgoingMessage): DescribedMessage {
  const mime = describeBody(message)
  const headers = [
    { name: 'Message-ID', value: message.messageId },
    { name: 'Date', value: message.date.toUTCString().replace('GMT', '+0000') },
    { name: 'From', value: shown([message.from]) },
    { name: 'To', value: shown(message.to) },
    ...(message.cc.length > 0 ? [{ name: 'Cc', value: shown(message.cc) }] : []),
    { name: 'Subject', value: message.subject },
    { name: 'MIME-Version', value: '1.0' },
    { name: 'Content-Type', value: contentTypeOf(mime) },
    ...(mime.parts.length === 0 ? [{ name: 'Content-Transfer-Encoding', value: mime.encoding }] : []),
  ]
  return { headers, mime }
}

function describeBody(message: OutgoingMessage): DescribedPart {
  const { text, html } = message
  if (text === null || html === null) {
    return describeText('1', html === null ? 'text/plain' : 'text/html', html ?? text ?? '')
  }
  const parts = [describeText('1.1', 'text/plain', text), describeText('1.2', 'text/html', html)]
  return {
    ...BARE,
    partId: '1',
    contentType: 'multipart/alternative',
    parameters: { boundary: boundaryOf(message) },
    encoding: '7bit',
    sizeBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0),
    parts,
  }
}

const BARE = { disposition: null, filename: null, contentId: null } as const

function describeText(partId: string, contentType: 'text/plain' | 'text/html', text: string): DescribedPart {
  return {
    ...BARE,
    partId,
    contentType,
    parameters: { charset: 'utf-8' },
    encoding: transferEncodingOf(text),
    sizeBytes: Buffer.byteLength(normalLines(text)),
    parts: [],
  }
}

function contentTypeOf({ contentType, parameters }: DescribedPart): string {
  const [name, value] = Object.entries(parameters)[0] as [string, string]
  return `${contentType}; ${name}=${name === 'boundary' ? `"${value}"` : value}`
}

function shown(addresses: readonly MailAddress[]): string {
  return addresses.map(({ address, name }) => (name ? `${name} <${address}>` : address)).join(', ')
}
