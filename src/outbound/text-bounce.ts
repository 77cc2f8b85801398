// Bounces that are plain text instead of a delivery status notification, in the three forms whose writers name who
// failed in a way that cannot be mistaken: qmail's documented format, Exim's header, Exchange's list. Everything else
// is somebody's prose, and prose is not read. Pure.
import type { ParsedMessage } from '../mail-parser/parsed-message.ts'
import { cutDiagnostic, type DeliveryReport, MAX_REPORTED_RECIPIENTS, type RecipientReport } from './delivery-report.ts'
import { enhancedCodeIn, readReply } from './smtp-reply.ts'

/** Bounces name those who failed before they quote the message. */
const MAX_TEXT_CHARS = 65_536

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
    if (first.startsWith('<') && first.trimEnd().endsWith('>:') && first.includes('@')) {
      failures.push(failure(first.trimEnd().slice(1, -2), reason))
    }
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
  const lines = text.split('\n')
  return listed
    .flatMap(({ value }) => value.split(','))
    .map((address) => address.trim())
    .filter((address) => address.includes('@'))
    .slice(0, MAX_REPORTED_RECIPIENTS)
    .map((address) => failure(address, linesBeneath(lines, address)))
}

function linesBeneath(lines: string[], address: string): string[] {
  const at = lines.findIndex((line) => line !== line.trimStart() && line.trim() === address)
  if (at === -1) return []
  const depth = indentation(lines[at] ?? '')
  const end = lines.findIndex((line, i) => i > at && indentation(line) <= depth)
  return lines.slice(at + 1, end === -1 ? undefined : end)
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
    const [, address] = EXCHANGE_RECIPIENT.exec(line) ?? []
    if (address !== undefined) failures.push({ address, reason: [] })
    else if (line.trim() !== '' && indentation(line) === 0) break
    else failures.at(-1)?.reason.push(line)
  }
  return failures.map(({ address, reason }) => failure(address, reason))
}

const EXCHANGE_RECIPIENT = /^(\S{1,320}@\S{1,320}) on (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), /

/** All three are sent for recipients given up, and for nothing else. */
function failure(address: string, reason: string[]): RecipientReport {
  const words = reason.join(' ').replace(/\s+/g, ' ').trim()
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
