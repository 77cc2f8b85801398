// The mailboxes of a tenant as its people look after them, by address, page by page.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Mailbox } from './schemas.ts'

export interface PagedMailbox extends Mailbox {
  status: 'active' | 'suspended'
  /** How many mailbox users have access. */
  users: number
  createdAt: Timestamp
}

export interface MailboxesQuery {
  limit: number
  /** The address behind which it goes on: whoever makes one up reads on in the same list. */
  cursor?: string | undefined
  status?: PagedMailbox['status'] | undefined
  /** A part of the address or of the name, in letters of either case. */
  q?: string | undefined
}

export async function pageMailboxes(
  db: Db,
  actor: TenantActor,
  { limit, cursor = '', status, q = '' }: MailboxesQuery,
): Promise<{ items: PagedMailbox[]; nextCursor: string | null }> {
  assertMay(actor, 'readMailboxes')
  const part = q.trim().toLowerCase()
  const rows = await db.rows(sql<PagedMailbox>`
    select b.id, b.address, b.display_name as "displayName", b.status, b.created_at as "createdAt",
      (select count(*) from mailbox_access a where a.tenant_id = b.tenant_id and a.mailbox_id = b.id) as users
    from mailboxes b
    where b.tenant_id = ${actor.tenantId} and b.address > ${cursor} and b.status = coalesce(${status ?? null}, b.status)
      and (strpos(b.address, ${part}) > 0 or strpos(lower(b.display_name), ${part}) > 0)
    order by b.address limit ${limit + 1}`)
  const items = rows.slice(0, limit)
  return { items, nextCursor: rows.length > limit ? (items.at(-1)?.address ?? null) : null }
}

/** @throws Problem not_found */
export async function readMailbox(db: Db, actor: TenantActor, id: Uuid): Promise<PagedMailbox> {
  assertMay(actor, 'readMailboxes')
  const mailbox = await db.first(sql<PagedMailbox>`
    select b.id, b.address, b.display_name as "displayName", b.status, b.created_at as "createdAt",
      (select count(*) from mailbox_access a where a.tenant_id = b.tenant_id and a.mailbox_id = b.id) as users
    from mailboxes b
    where b.tenant_id = ${actor.tenantId} and b.id = ${id}`)
  if (!mailbox) throw absent('mailbox')
  return mailbox
}
