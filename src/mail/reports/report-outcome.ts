// What a delivery report's words about one recipient mean for our record of it. Pure.
// specification.md#outcome-of-a-report
import type { RecipientReport } from './delivery-report.ts'

/** Where the recipient ends, or null while the relay goes on trying. */
export type ReportedOutcome = 'delivered' | 'bounced' | 'failed'

/**
 * Failed with 5.x.x: the other side refused, `bounced`. Failed with 4.x.x, or because the delivery time expired (RFC 3463
 * X.4.7): the relay gave up trying, `failed`. A failure without any code is a refusal as far as anyone can tell. Relayed
 * and expanded end what can be known.
 */
export function outcomeOf(report: RecipientReport): ReportedOutcome | null {
  switch (report.action) {
    case 'delayed':
      return null
    case 'delivered':
    case 'relayed':
    case 'expanded':
      return 'delivered'
    case 'failed':
      return report.enhancedCode === '5.4.7' || failureClass(report) === '4' ? 'failed' : 'bounced'
  }
}

/** The class of the code that speaks of a failure; a dialect may leave `2.0.0` in Status. */
function failureClass(report: RecipientReport): string | undefined {
  return [report.enhancedCode, report.status, String(report.smtpCode ?? '')]
    .map((code) => code?.[0])
    .find((first) => first === '4' || first === '5')
}
