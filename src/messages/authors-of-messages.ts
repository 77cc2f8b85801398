// Who sent messages of a list: an application, or a mailbox user in the webmail. One look-up for all of a page.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { MessageSummary } from './schemas.ts'

export interface MessageAuthor {
  kind: 'application' | 'mailbox_user'
  id: Uuid
  /** Null when there is none any more. */
  name: string | null
}

/** By message; none of one that was received. They are of one list. */
export async function authorsOfMessages(
  db: Db,
  actor: TenantActor,
  messages: readonly Pick<MessageSummary, 'id' | 'direction'>[],
): Promise<Map<Uuid, MessageAuthor>> {
  assertMay(actor, 'readMessages')
  const asked = messages.filter(({ direction }) => direction === 'outbound')
  if (asked.length === 0) return new Map()
  const rows = await db.rows(sql<MessageAuthor & { messageId: Uuid }>`
    select m.id as "messageId", case when m.app_id is null then 'mailbox_user' else 'application' end as kind,
      coalesce(m.app_id, m.mailbox_user_id) as id, coalesce(a.name, u.login) as name
    from messages m
    left join apps a on a.tenant_id = m.tenant_id and a.id = m.app_id
    left join users u on u.tenant_id = m.tenant_id and u.id = m.mailbox_user_id
    where m.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId} and m.gone is null
      and m.id = any(${asked.map(({ id }) => id)}::uuid[])`)
  return new Map(rows.map(({ messageId, ...author }) => [messageId, author]))
}
