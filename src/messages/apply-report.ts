// Applies what someone who saw a message's further way reports of its recipients: the relay by mail, or by HTTP.
// A report that overtakes our own record of submission proves it. Knows nothing of how reports are written.
import { type ObjectStore, objectKey } from '../lib/object-store.ts'
import { type Database, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { ReportedRecipient } from '../mail/reports/relay-report.ts'
import { applyOutcomes } from './apply-outcomes.ts'
import type { RecipientOutcome } from './decide-outcome.ts'
import { positionsIn, type StoredRecipient } from './recipients.ts'

/** Whose outcome a report may decide: that of any recipient, or that of a message's only one. */
export type ReportReach = 'any_recipient' | 'only_recipient'

/**
 * Gives how many of the reported recipients the message has. Reports of messages that are unknown or gone, or out of
 * reach, change nothing.
 */
export async function applyReport(
  deps: { database: Database; store: ObjectStore },
  message: { tenantId: Uuid; id: Uuid },
  reported: readonly ReportedRecipient[],
  reach: ReportReach,
): Promise<number> {
  const known = await readRecipients(deps.database, message)
  if (!known || (reach === 'only_recipient' && known.recipients.length > 1)) return 0
  const positionOf = positionsIn(known.recipients)
  const recipients = reported.flatMap((report): RecipientOutcome[] => {
    const { outcome: status, smtpCode, enhancedCode, diagnostic } = report
    const position = positionOf(report.addresses)
    return position === undefined ? [] : [{ position, status, smtpCode, enhancedCode, diagnostic, reported: true }]
  })
  if (recipients.length === 0) return 0
  const stored = known.isRecorded ? undefined : await storedObject(deps.store, message)
  // Nothing that was never built can have been submitted.
  if (!known.isRecorded && !stored) return 0
  const outcome = { tenantId: message.tenantId, messageId: message.id, recipients, ...(stored ? { stored } : {}) }
  await deps.database.transaction((tx) => applyOutcomes(tx, [outcome]))
  return recipients.length
}

interface Known {
  isRecorded: boolean
  recipients: StoredRecipient[]
}

function readRecipients(database: Database, message: { tenantId: Uuid; id: Uuid }): Promise<Known | undefined> {
  return database.first(sql<Known>`
    select s.size_bytes is not null as "isRecorded", s.recipients
    from messages m join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
    where m.tenant_id = ${message.tenantId} and m.id = ${message.id} and m.gone is null`)
}

async function storedObject(store: ObjectStore, message: { tenantId: Uuid; id: Uuid }) {
  const found = await store.head(objectKey('messages', message.tenantId, message.id))
  return found && { sizeBytes: found.sizeBytes }
}
