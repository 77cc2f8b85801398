// Bounces that are plain text instead of a delivery status notification, in the forms whose writers name who failed in a
// way that cannot be mistaken. Everything else is somebody's prose, and prose is not read. Pure.
import type { ParsedMessage } from '../parse/parsed-message.ts'
import { type DeliveryReport, MAX_REPORTED_RECIPIENTS } from './delivery-report.ts'
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
import { readQmail } from './forms/qmail.ts'
import { readSendmail } from './forms/sendmail.ts'
import { readWorkmail } from './forms/workmail.ts'
import { readYahoo } from './forms/yahoo.ts'
import { readZoho } from './forms/zoho.ts'

/** The first that names somebody counts. specification.md#forms-of-a-report */
const FORMS: readonly Form[] = [
  readFailedRecipients,
  readQmail,
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
]

/** Bounces name those who failed before they quote the message. */
const MAX_TEXT_CHARS = 65_536

/** Null when the message is none of them. */
export function readTextBounce(message: Pick<ParsedMessage, 'headers' | 'text'>): DeliveryReport | null {
  const text = (message.text ?? '')
    .slice(0, MAX_TEXT_CHARS)
    .toWellFormed()
    .replace(/^\s*\n/, '')
  for (const read of FORMS) {
    const recipients = read({ headers: message.headers, text })
    if (recipients.length > 0)
      return { envelopeId: null, reportingMta: null, recipients: recipients.slice(0, MAX_REPORTED_RECIPIENTS) }
  }
  return null
}
