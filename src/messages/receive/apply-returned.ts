// Does what mail that came back to a return path asks for: applies a report as far as it proves where it is from, and
// keeps for somebody to look at what cannot be read or believed.
import type { Network } from '../../lib/network.ts'
import { removeLater } from '../../lib/object-removals.ts'
import type { ObjectKey, ObjectStore } from '../../lib/object-store.ts'
import type { Database } from '../../lib/sql.ts'
import { newId, type Uuid } from '../../lib/uuid.ts'
import type { RecipientReport } from '../../mail/reports/delivery-report.ts'
import type { ReportedRecipient } from '../../mail/reports/relay-report.ts'
import { outcomeOf } from '../../mail/reports/report-outcome.ts'
import type { ReturnedMail } from '../../mail/reports/returned-mail.ts'
import { applyComplaint } from '../apply-complaint.ts'
import { applyReport, type ReportReach } from '../apply-report.ts'
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
  message: { tenantId: Uuid; messageId: Uuid },
  returned: ReturnedMail,
): Promise<ReturnedKind> {
  switch (returned.kind) {
    case 'unknown':
      return 'unread_report'
    case 'auto_reply':
      return 'auto_reply'
    case 'feedback': {
      const { complaint } = returned
      if (!complaint) return 'feedback'
      const { envelopeId, recipients } = complaint
      return believe(deps, { ...origin, envelopeId }, message, 'feedback', (id, reach) =>
        deps.database.transaction((tx) => applyComplaint(tx, id, recipients, reach)),
      )
    }
    case 'delivery_report': {
      const { envelopeId, recipients } = returned.report
      const final = recipients.flatMap(finalOf)
      if (final.length === 0) return 'delivery_report'
      return believe(deps, { ...origin, envelopeId }, message, 'delivery_report', (id, reach) =>
        applyReport(deps, id, final, reach),
      )
    }
  }
}

/** Lets `apply` decide about as much as the origin proves; it gives how many of those it names the message has. */
async function believe<K extends ReturnedKind>(
  deps: ReturnedDeps,
  { envelopeId, ...origin }: { sender: string; clientAddress: string; envelopeId: string | null },
  { tenantId, messageId: id }: { tenantId: Uuid; messageId: Uuid },
  kind: K,
  apply: (message: { tenantId: Uuid; id: Uuid }, reach: ReportReach) => Promise<number>,
): Promise<K | 'unread_report' | 'unproven_report'> {
  const hasEnvelopeId = envelopeId !== null && deps.envelopeId(envelopeId) === id
  const reach = reachOf({ ...origin, hasEnvelopeId }, deps.relayNetworks)
  if (reach === 'nobody') return 'unproven_report'
  if ((await apply({ tenantId, id }, reach)) > 0) return kind
  return reach === 'any_recipient' ? 'unread_report' : 'unproven_report'
}

/** Empty while the relay goes on trying. */
function finalOf(recipient: RecipientReport): ReportedRecipient[] {
  const outcome = outcomeOf(recipient)
  const { originalRecipient, finalRecipient, smtpCode, enhancedCode, diagnosticCode: diagnostic } = recipient
  return outcome
    ? [{ addresses: [originalRecipient, finalRecipient], outcome, smtpCode, enhancedCode, diagnostic }]
    : []
}
