// Whom a mailbox user may mean by what was typed so far: people whom the user's mailboxes have written with. It costs the same however
// many those are: a few hundred rows of an index, and where more begin so, the first of those who are written with most (ADR 71).
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent } from '../../access/problem.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { MailAddress } from '../../mail/mail-address.ts'
import { wordsTyped } from './correspondent.ts'

/** specification.md#suggestions-of-recipients */
const MOST_SUGGESTED = 8
/** Words that begin so. Where there are more, those who rank highest are looked at. */
const FEW_WORDS = 400
const MOST_LOOKED_AT = 2_000
/** Some are left out, and the same person may be of several mailboxes. */
const CANDIDATES = 24
/** What somebody of the mailbox that is written from is ahead by, in doublings of how often. */
const OWN_MAILBOX_AHEAD = 2

interface Found extends MailAddress {
  key: string
}

/** The best first. `mailboxId`: the mailbox that is written from. @throws Problem not_found */
export async function findRecipients(
  db: Db,
  actor: MailboxUser,
  { mailboxId, q }: { mailboxId: Uuid; q: string },
): Promise<MailAddress[]> {
  assertMay(actor, 'readMessages')
  const from = mailboxId.toLowerCase()
  if (!actor.mailboxes.has(from)) throw absent('mailbox')
  const words = wordsTyped(q)
  const longest = words.toSorted((a, b) => b.length - a.length)[0]
  if (longest === undefined) return []
  const found = await db.rows(sql<Found>`
    with place as (
      select b.id from unnest(${[...actor.mailboxes.keys()]}::uuid[]) as b (id)
    ),
    beginning as materialized (
      select p.id, w.key
      from place p
      cross join lateral (
        select n.key from correspondent_words n
        where n.tenant_id = ${actor.tenantId} and n.mailbox_id = p.id and n.word >= ${longest}
          and n.word < ${`${longest}\u{10ffff}`}
        order by n.word, n.key limit ${FEW_WORDS}
      ) w
    ),
    often as materialized (
      select p.id, h.key
      from place p
      cross join lateral (
        select n.key
        from (
          select c.key, c.found_by from correspondents c
          where c.tenant_id = ${actor.tenantId} and c.mailbox_id = p.id
          order by c.rank desc, c.key limit ${MOST_LOOKED_AT}
        ) n
        where not exists (select from unnest(${words}::text[]) as t (word) where strpos(n.found_by, ' ' || t.word) = 0)
        limit ${CANDIDATES}
      ) h
      where (select count(*) from beginning b where b.id = p.id) >= ${FEW_WORDS}
    ),
    candidate as (
      select c.key, c.address, c.name, c.mails, c.mailbox_id,
        c.rank + case when c.mailbox_id = ${from} then ${OWN_MAILBOX_AHEAD}::float8 else 0 end as rank
      from (select b.id, b.key from beginning b union select o.id, o.key from often o) f
      cross join lateral (
        select n.key, n.address, n.name, n.mails, n.mailbox_id, n.rank, n.found_by from correspondents n
        where n.tenant_id = ${actor.tenantId} and n.mailbox_id = f.id and n.key = f.key offset 0
      ) c
      where not exists (select from unnest(${words}::text[]) as t (word) where strpos(c.found_by, ' ' || t.word) = 0)
      order by rank desc, c.key limit ${CANDIDATES}
    )
    select c.key, c.address, c.name
    from candidate c
    cross join lateral (
      select exists (
          select from suppressions s
          where s.tenant_id = ${actor.tenantId} and s.environment_id = ${actor.environmentId} and s.address = c.key)
        or exists (
          select from bounced_addresses b
          where b.tenant_id = ${actor.tenantId} and b.environment_id = ${actor.environmentId} and b.address = c.key
            and b.bounces > 0) as "isGone"
    ) g
    -- What was filed as spam since tells of nobody, unless the user has written to them.
    where not exists (
        select from jsonb_to_recordset(c.mails) as m (id uuid, "isWritten" boolean)
        join message_entries e
          on e.tenant_id = ${actor.tenantId} and e.message_id = m.id and e.mailbox_id = c.mailbox_id and e.folder = 'spam')
      or exists (select from jsonb_to_recordset(c.mails) as m ("isWritten" boolean) where m."isWritten")
    order by g."isGone", c.rank desc, c.key`)
  // Of several mailboxes, as the one knows them that comes first.
  const people = [...Map.groupBy(found, ({ key }) => key).values()].flatMap(([first]) => first ?? [])
  return people.slice(0, MOST_SUGGESTED).map(({ address, name }) => ({ address, name }))
}
