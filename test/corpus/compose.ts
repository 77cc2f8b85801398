// How the corpus writes its mail. It knows no parser's workings: only bytes, and the shape of what a reader gets.
import type { MailAddress } from '../../src/mail/mail-address.ts'
import type { MimePart } from '../../src/mail/mime-part.ts'
import type { ParsedAttachment, ParsedMessage } from '../../src/mail/parse/parsed-message.ts'

export interface OddMail {
  /** A sentence's worth of what is odd. */
  name: string
  raw: Buffer
  /** The part of the result that matters here. */
  expected: Expected
}

type Expected = Partial<Omit<ParsedMessage, 'mime' | 'attachments'>> & {
  mime?: Partial<MimePart> | null
  attachments?: Partial<ParsedAttachment>[]
}

/** Lines joined as SMTP joins them. */
export function mail(...lines: string[]): Buffer {
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}

export function latin1(...lines: string[]): Buffer {
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1')
}

export function person(address: string, name: string | null = null): MailAddress {
  return { address, name }
}

export const FROM = 'From: Ada <ada@example.test>'

/** A body in bytes behind header lines. */
export function withBody(header: string[], body: Uint8Array): Buffer {
  return Buffer.concat([mail(...header, ''), body])
}

export function hex(digits: string): Buffer {
  return Buffer.from(digits.replaceAll(' ', ''), 'hex')
}

/** Parts of a multipart whose boundary is `b1`, its header in front. */
export function parts(subtype: string, ...bodies: string[][]): string[] {
  return [
    `Content-Type: multipart/${subtype}; boundary=b1`,
    '',
    ...bodies.flatMap((body) => ['--b1', ...body]),
    '--b1--',
  ]
}
