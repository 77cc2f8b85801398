// Applies what relays report over HTTP, which may be of many messages of many tenants at once. Knows nothing of HTTP.
import type { ObjectStore } from '../lib/object-store.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { RelayReport, ReportedRecipient } from '../mail/reports/relay-report.ts'
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
  const byMessage = new Map<Uuid, ReportedRecipient[]>()
  for (const { messageId, returnPath = '', recipient } of reports) {
    const id = (messageId ?? deps.returnPath(returnPath)?.messageId)?.toLowerCase()
    if (id) byMessage.set(id, [...(byMessage.get(id) ?? []), recipient])
  }
  let applied = 0
  for (const [id, recipients] of byMessage) {
    const owner = await findSentMessage(deps.database, id)
    if (owner) applied += await applyReport(deps, { ...owner, id }, recipients, 'any_recipient')
  }
  return { applied, ignored: reports.length - applied }
}
