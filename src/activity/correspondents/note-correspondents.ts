// Keeps whom mailboxes have written with, of the mails that logs and walks bring (ADR 71). Each mail counts once, however often it is
// brought. The caller holds the log of the tenant, so that nobody else does, and the messages.
import { type Db, sql, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { canonicalAddress, type MailAddress } from '../../mail/mail-address.ts'
import { inStretches, weightOfAddresses } from '../in-stretches.ts'
import type { HadMail } from '../read-mail.ts'
import {
  type Correspondent,
  isNoReply,
  type MailWith,
  mergeCorrespondent,
  offered,
  rankOf,
  wordsOfCorrespondent,
} from './correspondent.ts'

/** Of a mailbox; those that rank lowest go. specification.md#suggestions-of-recipients */
const MOST_OF_A_MAILBOX = 20_000

interface Heard extends MailWith, MailAddress {
  tenantId: Uuid
  mailboxId: Uuid
  /** Of all spellings of the address. */
  key: string
}

interface Known extends Correspondent {
  mailboxId: Uuid
  key: string
}

export async function noteCorrespondents(tx: Tx, mail: readonly HadMail[]): Promise<void> {
  if (mail.length === 0) return
  const heard = (await readMail(tx, mail)).flatMap(peopleIn)
  if (heard.length === 0) return
  const people = [...Map.groupBy(heard, placeOf).values()]
  const known = await findKnown(tx, people)
  const written = await inStretches(people, weightOfAddresses, (mails) => {
    const [{ tenantId, mailboxId, key }] = mails as [Heard]
    const before = known.get(placeOf({ mailboxId, key }))
    const now = mergeCorrespondent(before, mails)
    const words = wordsOfCorrespondent(now)
    const isFoundAlike = before !== undefined && wordsOfCorrespondent(before).join(' ') === words.join(' ')
    return { ...now, tenantId, mailboxId, key, rank: rankOf(now.mails), words, isNew: !before, isFoundAlike }
  })
  await write(tx, written)
  await writeWords(
    tx,
    written.filter((one) => !one.isFoundAlike),
  )
  await forgetLowest(
    tx,
    written.filter((one) => one.isNew),
  )
}

const placeOf = ({ mailboxId, key }: { mailboxId: Uuid; key: string }) => `${mailboxId} ${key}`

interface MailRow {
  tenantId: Uuid
  mailboxId: Uuid
  id: Uuid
  at: number
  isWritten: boolean
  from: MailAddress
  recipients: MailAddress[]
}

/** What is spam, or pretends to be from somebody, tells nothing of anybody. */
function readMail(db: Db, mail: readonly HadMail[]): Promise<MailRow[]> {
  return db.rows(sql<MailRow>`
    select m.tenant_id as "tenantId", p.mailbox_id as "mailboxId", m.id,
      floor(extract(epoch from m.created_at) * 1000)::float8 as at, m.direction = 'outbound' as "isWritten",
      json_build_object('address', m.from_address, 'name', m.from_name) as from,
      m.to_addresses::jsonb || m.cc_addresses::jsonb || m.bcc_addresses::jsonb as recipients
    from unnest(${mail.map((one) => one.tenantId)}::uuid[], ${mail.map((one) => one.messageId)}::uuid[],
      ${mail.map((one) => one.mailboxId)}::uuid[]) as p (tenant_id, message_id, mailbox_id)
    cross join lateral (
      select n.tenant_id, n.id, n.created_at, n.direction, n.in_sent, n.mailbox_id, n.from_address, n.from_name, n.to_addresses,
        n.cc_addresses, n.bcc_addresses
      from messages n where n.tenant_id = p.tenant_id and n.id = p.message_id and n.gone is null offset 0
    ) m
    left join message_entries e
      on e.tenant_id = p.tenant_id and e.message_id = p.message_id and e.mailbox_id = p.mailbox_id
    left join message_contents c on c.tenant_id = p.tenant_id and c.message_id = p.message_id
    where case m.direction
      when 'outbound' then m.mailbox_id = p.mailbox_id and (m.in_sent or e.message_id is not null)
      else m.from_address is not null and e.folder <> 'spam'
        and (c.authentication #>> '{dmarc,result}') is distinct from 'fail'
      end`)
}

/** Those whom it went to, each once, or whom it came from. */
function peopleIn({ from, recipients, isWritten, ...mail }: MailRow): Heard[] {
  const addresses = isWritten ? recipients : [from].filter(({ address }) => !isNoReply(address))
  const people = addresses.flatMap((address) => offered(address) ?? [])
  const heard = people.map((person) => ({
    ...mail,
    ...person,
    isWritten,
    // Of two spellings that differ in the case of the local part nearly every mail system makes one mailbox.
    key: canonicalAddress(person.address).toLowerCase(),
  }))
  return [...new Map(heard.map((one) => [one.key, one])).values()]
}

async function findKnown(db: Db, people: readonly Heard[][]): Promise<Map<string, Correspondent>> {
  const firsts = people.map(([first]) => first as Heard)
  const rows = await db.rows(sql<Known>`
    select c.mailbox_id as "mailboxId", c.key, c.address, c.name, c.named_at as "namedAt", c.mails
    from unnest(${firsts.map((one) => one.tenantId)}::uuid[], ${firsts.map((one) => one.mailboxId)}::uuid[],
      ${firsts.map((one) => one.key)}::text[]) as p (tenant_id, mailbox_id, key)
    cross join lateral (
      select n.mailbox_id, n.key, n.address, n.name, n.named_at, n.mails from correspondents n
      where n.tenant_id = p.tenant_id and n.mailbox_id = p.mailbox_id and n.key = p.key offset 0
    ) c`)
  return new Map(rows.map((row) => [placeOf(row), row]))
}

interface Written extends Known {
  tenantId: Uuid
  rank: number
  words: string[]
}

async function write(tx: Tx, written: readonly Written[]): Promise<void> {
  const rows = written.map((one) => ({ ...one, found_by: ` ${one.words.join(' ')} ` }))
  await tx.rows(sql`
    insert into correspondents as c (tenant_id, mailbox_id, key, address, name, named_at, mails, rank, found_by)
    select g."tenantId", g."mailboxId", g.key, g.address, g.name, g."namedAt", g.mails, g.rank, g.found_by
    from json_to_recordset(${JSON.stringify(rows)}::json) as g ("tenantId" uuid, "mailboxId" uuid, key text, address text,
      name text, "namedAt" float8, mails jsonb, rank float8, found_by text)
    on conflict (tenant_id, mailbox_id, key) do update set address = excluded.address, name = excluded.name,
      named_at = excluded.named_at, mails = excluded.mails, rank = excluded.rank, found_by = excluded.found_by
    where c.mails <> excluded.mails or c.found_by <> excluded.found_by or c.name is distinct from excluded.name`)
}

async function writeWords(tx: Tx, written: readonly Written[]): Promise<void> {
  if (written.length === 0) return
  const rows = JSON.stringify(
    written.map(({ tenantId, mailboxId, key, words }) => ({ tenantId, mailboxId, key, words })),
  )
  await tx.rows(sql`
    delete from correspondent_words w
    using json_to_recordset(${rows}::json) as g ("tenantId" uuid, "mailboxId" uuid, key text, words json)
    where w.tenant_id = g."tenantId" and w.mailbox_id = g."mailboxId" and w.key = g.key
      and w.word <> all (array(select json_array_elements_text(g.words)))`)
  await tx.rows(sql`
    insert into correspondent_words (tenant_id, mailbox_id, word, key)
    select g."tenantId", g."mailboxId", w.word, g.key
    from json_to_recordset(${rows}::json) as g ("tenantId" uuid, "mailboxId" uuid, key text, words json)
    cross join lateral json_array_elements_text(g.words) as w (word)
    on conflict do nothing`)
}

/** Of each mailbox that has more than it may, as many as are too many. */
async function forgetLowest(tx: Tx, added: readonly Written[]): Promise<void> {
  const mailboxes = [...Map.groupBy(added, (one) => one.mailboxId).values()]
  if (mailboxes.length === 0) return
  const full = await tx.rows(sql<{ tenantId: Uuid; mailboxId: Uuid; excess: number }>`
    update searched_mailboxes s
    set correspondents = least(s.correspondents + g.added, ${MOST_OF_A_MAILBOX})
    from (
      select a.tenant_id, a.mailbox_id, a.added, o.correspondents
      from unnest(${mailboxes.map(([first]) => first?.tenantId)}::uuid[], ${mailboxes.map(([first]) => first?.mailboxId)}::uuid[],
        ${mailboxes.map((all) => all.length)}::integer[]) as a (tenant_id, mailbox_id, added)
      join searched_mailboxes o on o.tenant_id = a.tenant_id and o.mailbox_id = a.mailbox_id
    ) g
    where s.tenant_id = g.tenant_id and s.mailbox_id = g.mailbox_id
    returning s.tenant_id as "tenantId", s.mailbox_id as "mailboxId",
      greatest(0, g.correspondents + g.added - ${MOST_OF_A_MAILBOX}) as excess`)
  for (const { tenantId, mailboxId, excess } of full) {
    if (excess === 0) continue
    await tx.rows(sql`
      with gone as (
        delete from correspondents c
        using (
          select l.key from correspondents l
          where l.tenant_id = ${tenantId} and l.mailbox_id = ${mailboxId}
          order by l.rank, l.key limit ${excess}
        ) lowest
        where c.tenant_id = ${tenantId} and c.mailbox_id = ${mailboxId} and c.key = lowest.key
        returning c.key
      )
      delete from correspondent_words w using gone
      where w.tenant_id = ${tenantId} and w.mailbox_id = ${mailboxId} and w.key = gone.key`)
  }
}
