// Why messages of a list stand where they stand: what was said of the first recipient that has their status.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { StoredRecipient } from './recipients.ts'
import type { MessageSummary } from './schemas.ts'

export interface FirstReason {
  recipient: string
  smtpCode: number | null
  /** Enhanced status code (RFC 3463). */
  enhancedCode: string | null
  diagnostic: string | null
  /** While it waits: when it is tried again at the latest. */
  nextAttemptAt: Timestamp | null
}

/** By message: of those that have failed, bounced or wait, where anything was said. They are of one list. */
export async function firstReasons(
  db: Db,
  actor: TenantActor,
  messages: readonly Pick<MessageSummary, 'id' | 'status'>[],
): Promise<Map<Uuid, FirstReason>> {
  assertMay(actor, 'readMessages')
  const asked = messages.filter(({ status }) => status === 'failed' || status === 'bounced' || status === 'queued')
  if (asked.length === 0) return new Map()
  const rows = await db.rows(sql<{ id: Uuid; recipients: StoredRecipient[] }>`
    select s.message_id as id, s.recipients from message_states s
    join messages m on m.tenant_id = s.tenant_id and m.id = s.message_id and m.gone is null
    where s.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId}
      and s.message_id = any(${asked.map(({ id }) => id)}::uuid[])`)
  const recipients = new Map(rows.map(({ id, recipients }) => [id, recipients]))
  return new Map(
    asked.flatMap(({ id, status }) => {
      const reason = reasonOf(recipients.get(id) ?? [], status)
      return reason ? [[id, reason] as const] : []
    }),
  )
}

function reasonOf(recipients: readonly StoredRecipient[], status: MessageSummary['status']): FirstReason | undefined {
  const first = recipients.find(
    (recipient) => recipient.status === status && (recipient.diagnostic || recipient.smtpCode),
  )
  if (!first) return undefined
  const { address, smtpCode = null, enhancedCode = null, diagnostic = null, nextAttemptAt = null } = first
  return { recipient: address, smtpCode, enhancedCode, diagnostic, nextAttemptAt }
}
