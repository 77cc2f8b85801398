// Prepares a received message for verification: what of it the verifier gets to see, and whom From names. Pure.
import { headerLength, parseAddresses, toUtf8Header } from '../parse/message-headers.ts'
import { MAX_HEADER_BYTES } from '../parse/parsed-message.ts'
import type { DnsQuestion } from './dns-answers.ts'

/** Honest mail has up to five. Each costs a look-up and a hash over the body. */
const MAX_SIGNATURES = 5
/** Nobody displays more. Each costs two look-ups. */
const MAX_FROM_DOMAINS = 5
/** The verifier unfolds a header in a time that grows with the square of its lines. */
const MAX_HEADER_LINES = 10_000
/** Of a field whose parts the verifier looks at: its time grows with the square of one. */
const MAX_STRUCTURED_FIELD_BYTES = 8_192
/** It trims white space in a time that grows with the square of a run. */
const LONG_BLANK = /(?<!\s)\s{256}/
/** Of the body: the verifier looks again at all of a line for each 64 KiB that come. RFC 5322 2.1.1: 998. */
const MAX_BODY_LINE_BYTES = 262_144

export interface HeaderFacts {
  /** The domains of all addresses in From, in lower case. */
  fromDomains: string[]
  /** `unverifiable`: beyond what the verifier reads in a bounded time. */
  signatures: 'none' | 'verifiable' | 'unverifiable'
  /** Where the keys of its signatures are. */
  keys: DnsQuestion[]
}

/** Reads the header of a message. `beginning` is all of it, or its first MAX_HEADER_BYTES. */
export function readHeaderFacts(beginning: Uint8Array): HeaderFacts {
  const length = headerLength(beginning)
  const fields = splitFields(latin1(beginning.subarray(0, length)))
  const signatures = fields.filter(isSignature).slice(0, MAX_SIGNATURES)
  const isWhole = length < MAX_HEADER_BYTES
  return {
    fromDomains: domainsOf(fields.filter(({ name }) => name === 'from').map(({ text }) => text)),
    signatures: signatures.length === 0 ? 'none' : isWhole && isVerifiable(fields) ? 'verifiable' : 'unverifiable',
    keys: isVerifiable(signatures) ? signatures.flatMap(({ text }) => keyOf(text)) : [],
  }
}

/**
 * The message as the verifier may see it, with CRLF for every line feed, which the verifier would make one by one. Takes
 * out the fields of ARC, which we do not evaluate, and signatures beyond MAX_SIGNATURES.
 * @throws Error when a line of the body is too long to be looked at
 */
export function messageToVerify(raw: Uint8Array): Buffer {
  const length = headerLength(raw)
  let signatures = 0
  const kept = splitFields(latin1(raw.subarray(0, length))).filter((field) => {
    if (isSignature(field)) signatures += 1
    return !field.name.startsWith('arc-') && (!isSignature(field) || signatures <= MAX_SIGNATURES)
  })
  const header = Buffer.from(kept.map(({ text }) => text).join(''), 'latin1')
  return withCrlf(Buffer.concat([header, raw.subarray(length)]))
}

interface Field {
  /** In lower case. */
  name: string
  /** With its folded lines and line breaks, as bytes. */
  text: string
}

/** As the verifier does it: whatever begins with any white space goes on with the field above. */
function splitFields(header: string): Field[] {
  const fields: { name: string; lines: string[] }[] = []
  for (const line of header.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const last = fields.at(-1)
    if (last && /^\s/.test(line)) last.lines.push(line)
    else fields.push({ name: (line.split(':', 1)[0] ?? '').trim().toLowerCase(), lines: [line] })
  }
  return fields.map(({ name, lines }) => ({ name, text: lines.join('') }))
}

function isSignature({ name }: Field): boolean {
  return name === 'dkim-signature'
}

/** What the verifier takes apart. */
const STRUCTURED = new Set(['dkim-signature', 'from', 'return-path', 'content-type'])

function isVerifiable(fields: Field[]): boolean {
  let lines = 0
  for (const { text } of fields) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  }
  return (
    lines <= MAX_HEADER_LINES &&
    fields.every(({ name, text }) => !STRUCTURED.has(name) || text.length <= MAX_STRUCTURED_FIELD_BYTES) &&
    fields.every(({ text }) => !LONG_BLANK.test(text))
  )
}

/** RFC 6376 3.6.2.1. Of a signature that is written oddly the verifier asks itself. */
function keyOf(signature: string): DnsQuestion[] {
  const tags = new Map(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map((tag) => [tag.split('=', 1)[0]?.trim(), tag.slice(tag.indexOf('=') + 1).trim()]),
  )
  const [domain, selector] = [tags.get('d'), tags.get('s')]
  return domain && selector ? [{ name: `${selector}._domainkey.${domain}`, type: 'TXT' }] : []
}

function domainsOf(fields: string[]): string[] {
  const addresses = fields.flatMap((field) => {
    const text = new TextDecoder().decode(toUtf8Header(new Uint8Array(Buffer.from(field, 'latin1'))))
    return parseAddresses(text.slice(text.indexOf(':') + 1).replace(/[\r\n]+/g, ''))
  })
  const domains = addresses.map(({ address = '' }) => address.slice(address.lastIndexOf('@') + 1).toLowerCase())
  return [...new Set(domains)].filter((domain) => domain !== '').slice(0, MAX_FROM_DOMAINS)
}

const CR = 0x0d
const LF = 0x0a

function withCrlf(message: Buffer): Buffer {
  const whole = Buffer.allocUnsafe(message.length + countBareFeeds(message))
  let length = 0
  for (let i = 0; i < message.length; i++) {
    const byte = message[i] as number
    if (byte === LF && message[i - 1] !== CR) whole[length++] = CR
    whole[length++] = byte
  }
  return whole
}

function countBareFeeds(message: Buffer): number {
  let count = 0
  let start = 0
  for (let at = message.indexOf(LF); at !== -1; at = message.indexOf(LF, start)) {
    if (at - start > MAX_BODY_LINE_BYTES) break
    if (message[at - 1] !== CR) count += 1
    start = at + 1
  }
  const rest = message.indexOf(LF, start)
  if ((rest === -1 ? message.length : rest) - start > MAX_BODY_LINE_BYTES)
    throw new Error('a line is too long to verify')
  return count
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
