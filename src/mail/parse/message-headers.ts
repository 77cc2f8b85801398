// What the header of a message says: addresses, subject, threading, date. Pure; knows nothing of bodies.
import { isUtf8 } from 'node:buffer'
import { type Address, addressParser } from 'postal-mime'
import type { MailAddress } from '../mail-address.ts'
import { decodeWords, toUtf8Line, unifyWords } from './encoded-words.ts'
import type { HeaderField } from './mime-tree.ts'
import {
  MAX_ADDRESSES,
  MAX_ADDRESSES_CHARS,
  MAX_LINE_CHARS,
  MAX_REFERENCES,
  type ParsedMessage,
} from './parsed-message.ts'

export type MessageHeaders = Pick<
  ParsedMessage,
  'headers' | 'from' | 'replyTo' | 'to' | 'cc' | 'subject' | 'messageId' | 'inReplyTo' | 'references' | 'date'
>

/** Reads the fields that a message shows. Takes the first of doubled ones, and the addresses of all. */
export function readHeaders(fields: readonly HeaderField[]): MessageHeaders {
  const all = (key: string) =>
    fields.filter((field) => field.key === key && field.value !== '').map(({ value }) => value)
  const first = (key: string) => fields.find((field) => field.key === key)?.value ?? ''
  return {
    headers: fields
      .filter((field) => FIELD_NAME.test(field.originalKey))
      .map((field) => ({ name: field.originalKey, value: decodeWords(field.value) })),
    from: addressesOf(all('from').slice(0, 1))[0] ?? null,
    replyTo: addressesOf(all('reply-to')),
    to: addressesOf(all('to')),
    cc: addressesOf(all('cc')),
    subject: cutLine(decodeWords(first('subject')).trim()),
    messageId: messageIdOf(first('message-id')),
    inReplyTo: messageIdOf(first('in-reply-to')),
    references: (first('references').match(MESSAGE_ID) ?? []).slice(-MAX_REFERENCES),
    date: instantOf(first('date')),
  }
}

/** RFC 5322: printable ASCII but the colon. Lines that are no field (mbox's `From `) stay in the raw message. */
const FIELD_NAME = /^[!-9;-~]+$/

function cutLine(text: string): string {
  return text.slice(0, MAX_LINE_CHARS)
}

/**
 * A group is its members: `undisclosed-recipients:;` is nobody. Whole addresses, up to the first that is beyond a
 * limit.
 */
function addressesOf(fields: string[]): MailAddress[] {
  const people = fields
    .flatMap(parseAddresses)
    .filter(({ address, name }) => address || name)
    .slice(0, MAX_ADDRESSES)
    .map(({ address, name }) => ({ address: cutLine(address ?? ''), name: cutLine(name) || null }))
  let chars = 0
  const end = people.findIndex(({ address, name }) => {
    chars += address.length + (name?.length ?? 0)
    return chars > MAX_ADDRESSES_CHARS
  })
  return end === -1 ? people : people.slice(0, end)
}

/** The mailboxes of a field, those of groups among them, in whatever charset they are called; the first of very many. */
export function parseAddresses(field: string): Address[] {
  return addressParser(unifyWords(cutAddresses(field)), { flatten: true })
}

/** The library's time for a field grows with its square. Twice what is listed, ended between two addresses. */
function cutAddresses(field: string): string {
  if (field.length <= MAX_ADDRESSES_CHARS * 2) return field
  const cut = field.slice(0, MAX_ADDRESSES_CHARS * 2)
  return cut.slice(0, cut.lastIndexOf(',') + 1) || cut
}

/** RFC 5322 3.6.4. */
const MESSAGE_ID = /<[^<>\s]+>/g

/** The first id in the field; a field without angle brackets is taken as it is, for it still identifies. */
function messageIdOf(value: string): string | null {
  const id = value.match(MESSAGE_ID)?.[0] ?? value.trim()
  return id === '' || id.length > MAX_LINE_CHARS ? null : id
}

/** RFC 5322 3.3, read leniently. Years that PostgreSQL and JSON consumers choke on are no dates. */
function instantOf(value: string): string | null {
  const date = new Date(value.slice(0, MAX_LINE_CHARS).replace(/\([^()]*\)\s*$/, ''))
  const year = date.getUTCFullYear()
  return year >= 1970 && year <= 9999 ? date.toISOString() : null
}

const LF = 0x0a

/**
 * Where the header of a message ends: the offset of the first empty line, or the length when there is none.
 */
export function headerLength(raw: Uint8Array): number {
  for (let start = 0; start < raw.length; ) {
    const end = raw.indexOf(LF, start)
    if (end === start || (end === start + 1 && raw[start] === 0x0d)) return start
    if (end === -1) return raw.length
    start = end + 1
  }
  return raw.length
}

/** The header of a message in UTF-8, line by line. Gives the same bytes back when there is nothing to do. */
export function toUtf8Header(raw: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const length = headerLength(raw)
  if (isUtf8(raw.subarray(0, length))) return raw
  const lines: Uint8Array[] = []
  for (let start = 0; start < length; ) {
    const feed = raw.indexOf(LF, start)
    const end = feed === -1 || feed >= length ? length : feed + 1
    lines.push(toUtf8Line(raw.subarray(start, end)))
    start = end
  }
  return new Uint8Array(Buffer.concat([...lines, raw.subarray(length)]))
}
