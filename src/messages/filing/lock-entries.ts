// The messages and entries that are filed or ended together, in an order that all keep: messages by their ids, then what lies in
// them. So two who have some in common wait for one another, and in no circle; whoever changes one entry alone holds nothing else.
import type { Realm } from '../../access/actor.ts'
import { sql, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { FiledEntry } from './filing-action.ts'

/** Where entries are looked for. */
export interface FilingPlace {
  mailboxIds: readonly Uuid[]
  /** Undefined: whichever. */
  folder?: string | undefined
}

/** Holds messages that are to be filed: none of them ends meanwhile, nor is filed by another request. Gives those that are there. */
export async function holdToFile(tx: Tx, realm: Realm, ids: readonly Uuid[]): Promise<Uuid[]> {
  const rows = await tx.rows(sql<{ id: Uuid }>`
    select m.id
    from (select distinct u.id from unnest(${ids}::uuid[]) as u (id) order by u.id) n
    cross join lateral (
      select m.id from messages m
      where m.tenant_id = ${realm.tenantId} and m.environment_id = ${realm.environmentId} and m.id = n.id and m.gone is null
      limit 1
      for no key update
    ) m`)
  return rows.map(({ id }) => id)
}

export interface EndingMessage {
  id: Uuid
  /** Somebody is still to get it: it does not end. */
  isOnItsWay: boolean
}

/** Holds messages that are to end. Gives those that are there. */
export function holdToEnd(tx: Tx, realm: Realm, ids: readonly Uuid[]): Promise<EndingMessage[]> {
  return tx.rows(sql<EndingMessage>`
    select m.id, s.open is not null as "isOnItsWay"
    from (select distinct u.id from unnest(${ids}::uuid[]) as u (id) order by u.id) n
    cross join lateral (
      select m.id from messages m
      where m.tenant_id = ${realm.tenantId} and m.environment_id = ${realm.environmentId} and m.id = n.id and m.gone is null
      limit 1
      for update
    ) m
    left join lateral (
      select s.open from message_states s
      where s.tenant_id = ${realm.tenantId} and s.message_id = m.id and s.open > 0 limit 1
    ) s on true`)
}

/** How held messages lie in a place, implied entries among them. It stays so: entries that are written are locked. */
export async function lockEntries(
  tx: Tx,
  realm: Realm,
  ids: readonly Uuid[],
  { mailboxIds, folder }: FilingPlace,
): Promise<FiledEntry[]> {
  const [written, implied] = await Promise.all([
    tx.rows(sql<FiledEntry>`
      select e."messageId", e."mailboxId", e.folder, e."isRead", e."isStarred"
      from (select u.id from unnest(${ids}::uuid[]) as u (id) order by u.id) n
      cross join lateral (
        select e.message_id as "messageId", e.mailbox_id as "mailboxId", e.folder, e.is_read as "isRead",
          e.is_starred as "isStarred"
        from message_entries e
        where e.tenant_id = ${realm.tenantId} and e.message_id = n.id
        for no key update
      ) e
      -- Not within: an index that begins with mailboxes might seem as good.
      where e."mailboxId" = any (${mailboxIds}::uuid[]) and e.folder = coalesce(${folder ?? null}, e.folder)`),
    impliedEntries(tx, realm, ids, { mailboxIds, folder }),
  ])
  return [...written, ...implied]
}

/** What nobody has touched since it was sent (ADR 32). */
function impliedEntries(tx: Tx, realm: Realm, ids: readonly Uuid[], { mailboxIds, folder = 'sent' }: FilingPlace) {
  return tx.rows(sql<FiledEntry>`
    select m.id as "messageId", m.mailbox_id as "mailboxId", 'sent' as folder, true as "isRead", false as "isStarred"
    from unnest(${ids}::uuid[]) as n (id)
    cross join lateral (
      select m.id, m.mailbox_id from messages m
      where m.tenant_id = ${realm.tenantId} and m.environment_id = ${realm.environmentId} and m.id = n.id and m.in_sent
        and m.gone is null and m.mailbox_id = any (${mailboxIds}::uuid[]) and ${folder}::text = 'sent'
      limit 1
    ) m`)
}
