// Writes a message as MIME (RFC 5322, RFC 2045 to 2047). The same message always gives the same bytes, so that
// building it again after a crash changes nothing. Knows nothing of where it goes: no Bcc, no envelope.
import { hash } from 'node:crypto'
import { needsSmtpUtf8, UnbuildableMessage } from './mail-address.ts'
import { encodeText } from './mime-body.ts'
import { addressField, type MailAddress, textField } from './mime-header.ts'

const LINE_FEED = 0x0a

export interface OutgoingMessage {
  /** The Message-ID field with its angle brackets. */
  messageId: string
  date: Date
  from: MailAddress
  to: readonly MailAddress[]
  cc: readonly MailAddress[]
  subject: string
  text: string | null
  html: string | null
}

export interface BuiltMessage {
  bytes: Buffer
  /** True when a header holds an address that only a relay with SMTPUTF8 may be given (RFC 6531 §3.2). */
  smtpUtf8: boolean
}

/** Builds the whole message. @throws UnbuildableMessage */
export async function buildMime(message: OutgoingMessage): Promise<BuiltMessage> {
  const chunks: Buffer[] = []
  for await (const chunk of writeMime(message)) chunks.push(chunk)
  const addresses = [message.from, ...message.to, ...message.cc]
  return { bytes: Buffer.concat(chunks), smtpUtf8: addresses.some(({ address }) => needsSmtpUtf8(address)) }
}

/** Writes the message piece by piece, long bodies in turns that leave others theirs. @throws UnbuildableMessage */
export async function* writeMime(message: OutgoingMessage): AsyncGenerator<Buffer> {
  yield octets(`${headerOf(message)}\r\nMIME-Version: 1.0\r\n`)
  const { text, html } = message
  if (text === null || html === null) {
    yield* endedLine(writePart(html === null ? 'text/plain' : 'text/html', html ?? text ?? ''))
    return
  }
  const boundary = boundaryOf(message)
  yield octets(`Content-Type: multipart/alternative; boundary="${boundary}"\r\n\r\n--${boundary}\r\n`)
  yield* writePart('text/plain', text)
  yield octets(`\r\n--${boundary}\r\n`)
  yield* writePart('text/html', html)
  yield octets(`\r\n--${boundary}--\r\n`)
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
  return fields.join('\r\n')
}

async function* writePart(type: 'text/plain' | 'text/html', content: string): AsyncGenerator<Buffer> {
  const body = encodeText(content)
  yield octets(`Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${body.encoding}\r\n\r\n`)
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

/** Nobody who writes a text can know the digest of an id that is given later: no text can hold it by intent. */
export function boundaryOf(message: Pick<OutgoingMessage, 'messageId'>): string {
  return `=_${hash('sha256', message.messageId, 'hex').slice(0, 32)}`
}

function octets(text: string): Buffer {
  return Buffer.from(text, 'utf8')
}
