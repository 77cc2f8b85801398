// Bounces that are text instead of a delivery status notification: in the forms whose writers name who failed in a way
// that cannot be mistaken, and last in words that many use. Pure.
import { htmlToText } from '../parse/html-text.ts'
import type { ParsedMessage } from '../parse/parsed-message.ts'
import { type DeliveryReport, MAX_REPORTED_RECIPIENTS } from './delivery-report.ts'
import { readAol } from './forms/aol.ts'
import { readDomino } from './forms/domino.ts'
import { readDragonfly } from './forms/dragonfly.ts'
import { readEinsundeins } from './forms/einsundeins.ts'
import { readExchange } from './forms/exchange.ts'
import { readExchangeAdministrators } from './forms/exchange-administrators.ts'
import { readExim } from './forms/exim.ts'
import { readFailedRecipients } from './forms/failed-recipients.ts'
import type { Form } from './forms/form.ts'
import { readGmx } from './forms/gmx.ts'
import { readKddi } from './forms/kddi.ts'
import { readMailmarshal } from './forms/mailmarshal.ts'
import { readOpensmtpd } from './forms/opensmtpd.ts'
import { readProse } from './forms/prose.ts'
import { readQmail } from './forms/qmail.ts'
import { readSendmail } from './forms/sendmail.ts'
import { readWorkmail } from './forms/workmail.ts'
import { readYahoo } from './forms/yahoo.ts'
import { readZoho } from './forms/zoho.ts'

/** The first that names somebody counts. specification.md#forms-of-a-report */
const FORMS: readonly Form[] = [
  readFailedRecipients,
  readQmail,
  readAol,
  readYahoo,
  readGmx,
  readEinsundeins,
  readZoho,
  readOpensmtpd,
  readDragonfly,
  readWorkmail,
  readExchange,
  readExchangeAdministrators,
  readExim,
  readSendmail,
  readDomino,
  readKddi,
  readMailmarshal,
  readProse,
]

/** Bounces name those who failed before they quote the message. */
const MAX_TEXT_CHARS = 65_536

/** Null when the message is none of them. HTML counts where it has no text. */
export function readTextBounce(
  message: Pick<ParsedMessage, 'headers' | 'from' | 'subject' | 'text' | 'html'>,
): DeliveryReport | null {
  const { headers, from, subject } = message
  const plain = message.text ?? ''
  const text = (/\S/.test(plain) ? plain : htmlToText(message.html ?? '', MAX_TEXT_CHARS))
    .slice(0, MAX_TEXT_CHARS)
    .toWellFormed()
    .replace(/^\s*\n/, '')
  for (const read of FORMS) {
    const recipients = read({ headers, from, subject, text })
    if (recipients.length > 0)
      return { envelopeId: null, reportingMta: null, recipients: recipients.slice(0, MAX_REPORTED_RECIPIENTS) }
  }
  return null
}
