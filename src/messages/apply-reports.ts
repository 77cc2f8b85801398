// Applies what relays report over HTTP, which may be of many messages of many tenants at once. Knows nothing of HTTP.
import type { ObjectStore } from '../lib/object-store.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { RelayReport } from '../mail/reports/relay-report.ts'
import { applyComplaint } from './apply-complaint.ts'
import { applyReport } from './apply-report.ts'
import { findSentMessage } from './receive/find-sent-message.ts'

export interface ReportDeps {
  database: Database
  store: ObjectStore
  /** The message a return path was signed for; undefined when it is none of ours. */
  returnPath(address: string): { messageId: Uuid } | undefined
}

/**
 * Gives how many recipients' reports were applied, and how many reports were ignored: those of messages that we do not have,
 * or no longer. Asking again would not help.
 */
export async function applyReports(
  deps: ReportDeps,
  reports: readonly RelayReport[],
): Promise<{ applied: number; ignored: number }> {
  const byMessage = new Map<Uuid, Reported[]>()
  for (const { messageId, returnPath = '', recipient } of reports) {
    const id = (messageId ?? deps.returnPath(returnPath)?.messageId)?.toLowerCase()
    if (id) byMessage.set(id, [...(byMessage.get(id) ?? []), recipient])
  }
  let applied = 0
  for (const [id, recipients] of byMessage) {
    const owner = await findSentMessage(deps.database, id)
    if (owner) applied += await apply(deps, { ...owner, id }, recipients)
  }
  return { applied, ignored: reports.length - applied }
}

type Reported = RelayReport['recipient']

async function apply(
  deps: ReportDeps,
  message: { tenantId: Uuid; id: Uuid },
  reported: readonly Reported[],
): Promise<number> {
  const outcomes = reported.flatMap((recipient) => (recipient.outcome === 'complained' ? [] : recipient))
  const complaints = reported.flatMap((recipient) => (recipient.outcome === 'complained' ? recipient.addresses : []))
  const moved = outcomes.length > 0 ? await applyReport(deps, message, outcomes, 'any_recipient') : 0
  if (complaints.length === 0) return moved
  return moved + (await deps.database.transaction((tx) => applyComplaint(tx, message, complaints, 'any_recipient')))
}
