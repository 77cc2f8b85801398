// A delivery status notification (RFC 3464) that says what a test wants.
import { newId } from '../../src/lib/uuid.ts'

export interface ReportedAs {
  address: string
  action: string
  status: string
  diagnostic?: string
}

/** No two are the same octets. */
export function deliveryReport(recipients: readonly ReportedAs[], envelopeId?: string): string {
  return [
    'From: MAILER-DAEMON@relay.test',
    'Subject: Delivery Status',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    `Report ${newId()}`,
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; relay.test',
    ...(envelopeId === undefined ? [] : [`Original-Envelope-Id: ${envelopeId}`]),
    ...recipients.flatMap(({ address, action, status, diagnostic }) => [
      '',
      `Final-Recipient: rfc822; ${address}`,
      `Action: ${action}`,
      `Status: ${status}`,
      ...(diagnostic ? [`Diagnostic-Code: smtp; ${diagnostic}`] : []),
    ]),
    '',
    '--b--',
    '',
  ].join('\r\n')
}
