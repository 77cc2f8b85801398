// Does what mail that came back to a return path asks for: applies a report as far as it proves where it is from, and
// keeps for somebody to look at what cannot be read or believed.
import type { Network } from '../../lib/network.ts'
import { removeLater } from '../../lib/object-removals.ts'
import type { ObjectKey, ObjectStore } from '../../lib/object-store.ts'
import type { Database } from '../../lib/sql.ts'
import { newId, type Uuid } from '../../lib/uuid.ts'
import { outcomeOf } from '../../mail/reports/report-outcome.ts'
import type { ReturnedMail } from '../../mail/reports/returned-mail.ts'
import { applyReport } from '../apply-report.ts'
import { reachOf } from './report-reach.ts'
import { insertUnreadReport, UNREAD_REPORT_DAYS } from './unread-reports.ts'

export interface ReturnedDeps {
  database: Database
  store: ObjectStore
  /** Networks of the relays; none when they are not named. */
  relayNetworks: readonly Network[]
  /** The message an envelope id was made for; undefined when it is none of ours. */
  envelopeId(text: string): Uuid | undefined
}

/** What came of it, as the metrics call it: the two kinds that are kept, or what it was. */
export type ReturnedKind = 'unread_report' | 'unproven_report' | Exclude<ReturnedMail['kind'], 'unknown'>

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * `sender`: the envelope sender, empty for the null sender; `clientAddress`: of the host that brought it. `keep`: gives
 * where its beginning is kept, the same for all messages that it came back for.
 */
export async function applyReturned(
  deps: ReturnedDeps,
  origin: { sender: string; clientAddress: string },
  message: { tenantId: Uuid; messageId: Uuid },
  keep: () => Promise<ObjectKey>,
  returned: ReturnedMail,
): Promise<ReturnedKind> {
  const kind = await apply(deps, origin, message, returned)
  if (kind === 'unread_report' || kind === 'unproven_report') {
    const objectKey = await keep()
    await deps.database.transaction(async (tx) => {
      if (!(await insertUnreadReport(tx, { ...message, id: newId(), objectKey }))) return
      await removeLater(tx, [objectKey], UNREAD_REPORT_DAYS * DAY_MS)
    })
  }
  return kind
}

async function apply(
  deps: ReturnedDeps,
  origin: { sender: string; clientAddress: string },
  { tenantId, messageId }: { tenantId: Uuid; messageId: Uuid },
  returned: ReturnedMail,
): Promise<ReturnedKind> {
  if (returned.kind === 'unknown') return 'unread_report'
  if (returned.kind !== 'delivery_report') return returned.kind
  const { envelopeId, recipients } = returned.report
  const final = recipients.flatMap((recipient) => {
    const outcome = outcomeOf(recipient)
    if (!outcome) return []
    const { originalRecipient, finalRecipient, smtpCode, enhancedCode, diagnosticCode: diagnostic } = recipient
    return { addresses: [originalRecipient, finalRecipient], outcome, smtpCode, enhancedCode, diagnostic }
  })
  if (final.length === 0) return 'delivery_report'

  const hasEnvelopeId = envelopeId !== null && deps.envelopeId(envelopeId) === messageId
  const reach = reachOf({ ...origin, hasEnvelopeId }, deps.relayNetworks)
  if (reach === 'nobody') return 'unproven_report'
  const known = await applyReport(deps, { tenantId, id: messageId }, final, reach)
  if (known === 0) return reach === 'any_recipient' ? 'unread_report' : 'unproven_report'
  return 'delivery_report'
}
