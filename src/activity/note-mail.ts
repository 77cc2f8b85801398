// Notes by which words the messages of mailboxes are found, in spans of each mailbox that follow each other in time (ADR 68). The
// caller holds the log of the tenant, so that nobody else does, and the messages, so that none is noted behind its end.
import { sql, type Tx } from '../lib/sql.ts'
import type { HadMail, WordedMail } from './read-mail.ts'

/** How many messages a span has before another begins. What a search costs in each grows with it, how often it looks shrinks. */
const MESSAGES_OF_A_SPAN = 16_384

type MailboxRef = Pick<HadMail, 'tenantId' | 'mailboxId'>

/** What a mailbox does not have any more is passed over. What is noted already is written again where it differs. */
export async function noteMail(tx: Tx, mail: readonly HadMail[], worded: readonly WordedMail[]): Promise<void> {
  if (mail.length === 0 || worded.length === 0) return
  await beginSpans(tx, [...new Map(mail.map((one) => [one.mailboxId, one])).values()])
  const words = worded.map((one) => ({ tenant_id: one.tenantId, id: one.messageId, words: one.words }))
  await tx.rows(sql`
    with given as materialized (
      select g.tenant_id, g.id, g.words
      from json_to_recordset(${JSON.stringify(words)}::json) as g (tenant_id uuid, id uuid, words json)
    ),
    placed as materialized (
      select m.tenant_id, m.id, p.mailbox_id, m.created_at, m.seq, s.begins_at,
        array_to_tsvector(array(select to_hex(s.id) || '/' || w from json_array_elements_text(g.words) as w)) as words
      from unnest(${mail.map((one) => one.tenantId)}::uuid[], ${mail.map((one) => one.messageId)}::uuid[],
        ${mail.map((one) => one.mailboxId)}::uuid[]) as p (tenant_id, message_id, mailbox_id)
      join given g on g.tenant_id = p.tenant_id and g.id = p.message_id
      cross join lateral (
        select n.tenant_id, n.id, n.created_at, n.seq from messages n
        where n.tenant_id = p.tenant_id and n.id = p.message_id and n.gone is null
          and (
            n.in_sent and n.mailbox_id = p.mailbox_id
            or exists (
              select from message_entries e
              where e.tenant_id = n.tenant_id and e.message_id = n.id and e.mailbox_id = p.mailbox_id))
        offset 0
      ) m
      cross join lateral (
        select o.id, o.begins_at from mailbox_spans o
        where o.tenant_id = m.tenant_id and o.mailbox_id = p.mailbox_id and o.begins_at <= m.created_at
        order by o.begins_at desc limit 1
      ) s
    ),
    written as (
      insert into mailbox_search as n (tenant_id, message_id, mailbox_id, created_at, seq, words)
      select p.tenant_id, p.id, p.mailbox_id, p.created_at, p.seq, p.words from placed p
      on conflict (tenant_id, message_id, mailbox_id) do update set words = excluded.words where n.words <> excluded.words
      returning n.message_id, n.mailbox_id, n.xmax = 0 as is_new
    )
    update mailbox_spans s
    set messages = s.messages + f.count, oldest_at = least(s.oldest_at, f.oldest_at), newest_at = greatest(s.newest_at, f.newest_at)
    from (
      select p.tenant_id, p.mailbox_id, p.begins_at, count(*)::integer as count, min(p.created_at) as oldest_at,
        max(p.created_at) as newest_at
      from placed p join written w on w.message_id = p.id and w.mailbox_id = p.mailbox_id and w.is_new
      group by p.tenant_id, p.mailbox_id, p.begins_at
    ) f
    where s.tenant_id = f.tenant_id and s.mailbox_id = f.mailbox_id and s.begins_at = f.begins_at`)
}

/** Opens the first span of a mailbox, and the next one behind one that is full: none of its messages may be older. */
async function beginSpans(tx: Tx, mailboxes: readonly MailboxRef[]): Promise<void> {
  await tx.rows(sql`
    insert into mailbox_spans (tenant_id, mailbox_id, begins_at, oldest_at, newest_at, messages)
    select b.tenant_id, b.mailbox_id, coalesce(s.newest_at + interval '1 microsecond', '-infinity'), 'infinity', '-infinity', 0
    from unnest(${mailboxes.map((one) => one.tenantId)}::uuid[], ${mailboxes.map((one) => one.mailboxId)}::uuid[])
      as b (tenant_id, mailbox_id)
    left join lateral (
      select o.newest_at, o.messages from mailbox_spans o
      where o.tenant_id = b.tenant_id and o.mailbox_id = b.mailbox_id order by o.begins_at desc limit 1
    ) s on true
    where s.messages is null or s.messages >= ${MESSAGES_OF_A_SPAN}`)
}

/** Ends the oldest span of a mailbox at its oldest message when it is full, for whoever comes from newer ones: another begins before it. */
export async function partOldestSpan(tx: Tx, { tenantId, mailboxId }: MailboxRef): Promise<void> {
  const parted = await tx.rows(sql<{ at: string }>`
    update mailbox_spans s set begins_at = s.oldest_at
    where s.tenant_id = ${tenantId} and s.mailbox_id = ${mailboxId} and s.begins_at = '-infinity'
      and s.messages >= ${MESSAGES_OF_A_SPAN}
    returning s.begins_at as at`)
  if (parted.length === 0) return
  await tx.rows(sql`
    insert into mailbox_spans (tenant_id, mailbox_id, begins_at, oldest_at, newest_at, messages)
    values (${tenantId}, ${mailboxId}, '-infinity', 'infinity', '-infinity', 0)`)
}
