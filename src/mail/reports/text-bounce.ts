// Bounces that are plain text instead of a delivery status notification, in the three forms whose writers name who
// failed in a way that cannot be mistaken: qmail's documented format, Exim's header, Exchange's list. Everything else
// is somebody's prose, and prose is not read. Pure.
import type { ParsedMessage } from '../parse/parsed-message.ts'
import { enhancedCodeIn, readReply } from '../smtp/smtp-reply.ts'
import {
  cutDiagnostic,
  type DeliveryReport,
  isAddress,
  MAX_REPORTED_RECIPIENTS,
  type RecipientReport,
} from './delivery-report.ts'

/** Bounces name those who failed before they quote the message. */
const MAX_TEXT_CHARS = 65_536
/** Of the reason for one recipient. */
const MAX_REASON_LINES = 50
const MAX_REASON_CHARS = 4_000

/** Null when the message is none of them. */
export function readTextBounce(message: Pick<ParsedMessage, 'headers' | 'text'>): DeliveryReport | null {
  const text = (message.text ?? '').slice(0, MAX_TEXT_CHARS).toWellFormed()
  const failures = readQmail(text) ?? readExim(message, text) ?? readExchange(text) ?? []
  if (failures.length === 0) return null
  return { envelopeId: null, reportingMta: null, recipients: failures.slice(0, MAX_REPORTED_RECIPIENTS) }
}

/**
 * The qmail-send bounce message format: begins `Hi. This is the`; paragraphs that begin with `<` name a recipient
 * and say why; a paragraph that begins with `-` ends them.
 */
function readQmail(text: string): RecipientReport[] | null {
  if (!text.startsWith('Hi. This is the')) return null
  const failures: RecipientReport[] = []
  for (const paragraph of text.split(/\n[ \t]*\n/).slice(1)) {
    if (paragraph.startsWith('-')) break
    const [first = '', ...reason] = paragraph.trimStart().split('\n')
    const [, address = ''] = /^<(.*)>:$/.exec(first.trimEnd()) ?? []
    if (isAddress(address)) failures.push(failure(address, reason))
  }
  return failures
}

/**
 * Exim before it wrote delivery status notifications: the header lists the addresses; the text repeats each on a
 * line of its own, with the reason indented deeper beneath.
 */
function readExim(message: Pick<ParsedMessage, 'headers'>, text: string): RecipientReport[] | null {
  const listed = message.headers.filter(({ name }) => name.toLowerCase() === 'x-failed-recipients')
  if (listed.length === 0 || !text.startsWith('This message was created automatically by mail delivery software')) {
    return null
  }
  const addresses = new Set(listed.flatMap(({ value }) => value.split(',')).map((address) => address.trim()))
  const lines = text.split('\n')
  // Where each stands: one look at every line, however many are listed.
  const places = new Map<string, number>()
  for (const [i, line] of lines.entries()) {
    const words = line.trim()
    if (indentation(line) > 0 && addresses.has(words) && !places.has(words)) places.set(words, i)
  }
  return [...addresses]
    .filter(isAddress)
    .slice(0, MAX_REPORTED_RECIPIENTS)
    .map((address) => failure(address, linesBeneath(lines, places.get(address))))
}

function linesBeneath(lines: string[], at: number | undefined): string[] {
  if (at === undefined) return []
  const depth = indentation(lines[at] ?? '')
  const following = lines.slice(at + 1, at + 1 + MAX_REASON_LINES)
  const end = following.findIndex((line) => indentation(line) <= depth)
  return end === -1 ? following : following.slice(0, end)
}

function indentation(line: string): number {
  return line.length - line.trimStart().length
}

/** The Internet Mail Service of Exchange 5.5: `address on date`, and the reason indented beneath. */
function readExchange(text: string): RecipientReport[] | null {
  const [, list] = text.split('did not reach the following recipient(s):')
  if (list === undefined) return null
  const failures: { address: string; reason: string[] }[] = []
  for (const line of list.split('\n')) {
    const [, address = ''] = EXCHANGE_RECIPIENT.exec(line) ?? []
    if (isAddress(address)) failures.push({ address, reason: [] })
    else if (line.trim() !== '' && indentation(line) === 0) break
    else failures.at(-1)?.reason.push(line)
  }
  return failures.map(({ address, reason }) => failure(address, reason))
}

const EXCHANGE_RECIPIENT = /^(\S{3,320}) on (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), /

/** All three are sent for recipients given up, and for nothing else. */
function failure(address: string, reason: string[]): RecipientReport {
  const words = reason.join(' ').slice(0, MAX_REASON_CHARS).replace(/\s+/g, ' ').trim()
  const reply = readReply(words)
  // qmail appends its own code: `Sorry, no mailbox here by that name. (#5.1.1)`.
  const status = reply.enhancedCode ?? enhancedCodeIn(/\(#([\d.]+)\)/.exec(words)?.[1] ?? '')
  return {
    finalRecipient: address,
    originalRecipient: null,
    action: 'failed',
    status,
    diagnosticCode: cutDiagnostic(words),
    smtpCode: reply.smtpCode,
    enhancedCode: status,
    remoteMta: null,
    willRetryUntil: null,
  }
}
