// Mail as it comes back to a return path, and what is read in it.
import { parseMessage } from '../../src/mail/parse/parse-message.ts'
import { outcomeOf } from '../../src/mail/reports/report-outcome.ts'
import { type ReturnedMail, readReturnedMail } from '../../src/mail/reports/returned-mail.ts'

export function mail(...lines: string[]): Buffer {
  return Buffer.from(`${lines.join('\r\n')}\r\n`)
}

export async function readMail(raw: Uint8Array): Promise<ReturnedMail> {
  return readReturnedMail(await parseMessage(new Uint8Array(raw)))
}

/** Of each recipient that a report names: address, SMTP code, enhanced code and outcome. Null when it is no report. */
export async function outcomesIn(...lines: string[]) {
  const result = await readMail(mail(...lines))
  if (result.kind !== 'delivery_report') return null
  return result.report.recipients.map((recipient) => {
    const { finalRecipient, originalRecipient, smtpCode, enhancedCode } = recipient
    return [finalRecipient ?? originalRecipient, smtpCode, enhancedCode, outcomeOf(recipient)]
  })
}
