// How much mailboxes have, and how much of it is unread, as far as the log has been followed. It costs the same however much that is.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface MailboxFigures {
  /** The sizes of its messages, each as it was sent or received, with its files. One that several mailboxes have counts in each. */
  storedBytes: number
  /** In its inbox. */
  unread: number
}

/** Of an environment; each of these mailboxes has its own. */
export async function mailboxFigures(
  db: Db,
  actor: TenantActor,
  mailboxIds: readonly Uuid[],
): Promise<Map<Uuid, MailboxFigures>> {
  assertMay(actor, 'readMailboxes')
  const rows = await db.rows(sql<MailboxFigures & { id: Uuid }>`
    select a.mailbox_id as id, sum(a.size_bytes)::bigint as "storedBytes",
      coalesce(sum(a.unread) filter (where a.folder = 'inbox'), 0)::bigint as unread
    from mailbox_amounts a
    where a.tenant_id = ${actor.tenantId} and a.environment_id = ${actor.environmentId}
      and a.mailbox_id = any (${[...mailboxIds]}::uuid[])
    group by a.mailbox_id`)
  const known = new Map(rows.map(({ id, ...figures }) => [id, figures]))
  return new Map(mailboxIds.map((id) => [id, known.get(id) ?? { storedBytes: 0, unread: 0 }]))
}

export interface StoredOfMailbox {
  mailboxId: Uuid
  address: string
  storedBytes: number
}

/** Of an environment, those that have most, the first of them before all; none that has nothing. */
export function largestMailboxes(db: Db, actor: TenantActor, limit: number): Promise<StoredOfMailbox[]> {
  assertMay(actor, 'readMailboxes')
  return db.rows(sql<StoredOfMailbox>`
    select m.mailbox_id as "mailboxId", b.address, m.size_bytes::bigint as "storedBytes"
    from (
      select a.mailbox_id, sum(a.size_bytes) as size_bytes from mailbox_amounts a
      where a.tenant_id = ${actor.tenantId} and a.environment_id = ${actor.environmentId}
      group by a.mailbox_id having sum(a.size_bytes) > 0
      order by sum(a.size_bytes) desc, a.mailbox_id limit ${limit}
    ) m
    join mailboxes b on b.tenant_id = ${actor.tenantId} and b.id = m.mailbox_id
    order by m.size_bytes desc, b.address`)
}
