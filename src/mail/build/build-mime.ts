// Writes a message as MIME (RFC 5322, RFC 2045 to 2047). The same message always gives the same bytes, so that
// building it again after a crash changes nothing. Knows nothing of where it goes: no Bcc, no envelope.
import { needsSmtpUtf8, UnbuildableMessage } from '../mail-address.ts'
import { fileBody, fileFields } from './file-part.ts'
import { layoutOf, type OutgoingAttachment, type OutgoingMessage, type Part, type TextPart } from './layout.ts'
import { encodeText } from './mime-body.ts'
import { addressField, idsField, textField } from './mime-header.ts'

const LINE_FEED = 0x0a

export interface BuiltMessage {
  bytes: Buffer
  /** True when a header holds an address that only a relay with SMTPUTF8 may be given (RFC 6531 §3.2). */
  smtpUtf8: boolean
}

/** Gives an attachment's octets. */
export type OpenAttachment = (attachment: OutgoingAttachment) => Promise<AsyncIterable<Uint8Array>>

/** Builds the whole of a message without attachments. @throws UnbuildableMessage */
export async function buildMime(message: OutgoingMessage): Promise<BuiltMessage> {
  const chunks: Buffer[] = []
  for await (const chunk of writeMime(message)) chunks.push(chunk)
  return { bytes: Buffer.concat(chunks), smtpUtf8: isSmtpUtf8(message) }
}

/** Whether only a relay with SMTPUTF8 may be given the message (RFC 6531 §3.2). */
export function isSmtpUtf8({ from, to, cc }: OutgoingMessage): boolean {
  return [from, ...to, ...cc].some(({ address }) => needsSmtpUtf8(address))
}

/**
 * Writes the message piece by piece, long bodies in turns that leave others theirs.
 * @throws UnbuildableMessage, or whatever reading an attachment throws
 */
export async function* writeMime(
  message: OutgoingMessage,
  open: OpenAttachment = () => Promise.reject(new Error('this message was to have no attachments')),
): AsyncGenerator<Buffer> {
  yield octets(`${headerOf(message)}\r\nMIME-Version: 1.0\r\n`)
  yield* endedLine(writePart(layoutOf(message), open))
}

function headerOf(message: OutgoingMessage): string {
  if (!/^<[\x21-\x3b=\x3f-\x7e]+>$/.test(message.messageId))
    throw new UnbuildableMessage('The Message-ID is malformed.')
  const fields = [
    `Message-ID: ${message.messageId}`,
    `Date: ${message.date.toUTCString().replace('GMT', '+0000')}`,
    addressField('From', [message.from]),
    addressField('To', message.to),
  ]
  if (message.cc.length > 0) fields.push(addressField('Cc', message.cc))
  fields.push(textField('Subject', message.subject))
  if (message.inReplyTo) fields.push(idsField('In-Reply-To', [message.inReplyTo]))
  if (message.references?.length) fields.push(idsField('References', message.references))
  if (message.autoSubmitted) fields.push('Auto-Submitted: auto-generated')
  return fields.join('\r\n')
}

async function* writePart(part: Part, open: OpenAttachment): AsyncGenerator<Buffer> {
  switch (part.kind) {
    case 'text':
      return yield* writeText(part)
    case 'file':
      yield octets(`${fileFields(part)}\r\n\r\n`)
      return yield* fileBody(await open(part.attachment))
    case 'multipart':
      yield octets(`Content-Type: multipart/${part.subtype}; boundary="${part.boundary}"\r\n\r\n`)
      for (const child of part.parts) {
        yield octets(`--${part.boundary}\r\n`)
        yield* writePart(child, open)
        yield octets('\r\n')
      }
      yield octets(`--${part.boundary}--\r\n`)
  }
}

async function* writeText({ contentType, text }: TextPart): AsyncGenerator<Buffer> {
  const body = encodeText(text)
  yield octets(`Content-Type: ${contentType}; charset=utf-8\r\nContent-Transfer-Encoding: ${body.encoding}\r\n\r\n`)
  yield* body.chunks()
}

/** A message ends with a line end, or the relay would have to add one and change the bytes. */
async function* endedLine(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let last: Buffer | undefined
  for await (const chunk of chunks) {
    yield chunk
    if (chunk.length > 0) last = chunk
  }
  if (last?.at(-1) !== LINE_FEED) yield octets('\r\n')
}

function octets(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}
