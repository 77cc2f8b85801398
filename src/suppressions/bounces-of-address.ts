// Each time that mail to one address came back for good, or that it complained: the newest, with the messages they are about.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { suppressionKey } from './suppressed.ts'

export interface ListedBounce {
  id: Uuid
  kind: 'bounced' | 'complained'
  at: Timestamp
  messageId: Uuid
  /** Null when the message is gone. */
  subject: string | null
  smtpCode: number | null
  enhancedCode: string | null
  diagnostic: string | null
}

const MOST_SHOWN = 100

/** Newest first, of an address in any spelling. @throws Problem not_allowed */
export function bouncesOfAddress(db: Db, actor: TenantActor, address: string): Promise<ListedBounce[]> {
  assertMay(actor, 'readSuppressions')
  const { tenantId, environmentId } = actor
  return db.rows(sql<ListedBounce>`
    select b.id, b.kind, b.at, b.message_id as "messageId", m.subject, b.smtp_code as "smtpCode",
      b.enhanced_code as "enhancedCode", b.diagnostic
    from bounces b
    left join messages m on m.tenant_id = b.tenant_id and m.id = b.message_id and m.environment_id = b.environment_id
      and m.gone is null
    where b.tenant_id = ${tenantId} and b.environment_id = ${environmentId} and b.address = ${suppressionKey(address)}
    order by b.id desc limit ${MOST_SHOWN}`)
}
