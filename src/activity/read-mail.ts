// Reads what mailboxes have as far as it is searched: which messages of whom, and their texts, as many as are read at once. Makes
// words of them without keeping the process from anything else.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { MailAddress } from '../mail/mail-address.ts'
import { HTML_CHARS, TEXT_CHARS, wordsOfMail } from '../mail/mail-words.ts'
import { inStretches, WEIGHT_OF_ADDRESSES, weightOfAddresses } from './in-stretches.ts'

/** A message that one of the mailboxes has which somebody reads. */
export interface HadMail {
  tenantId: Uuid
  messageId: Uuid
  mailboxId: Uuid
  /** What would be read of its texts. */
  octets: number
}

/** A message and the words by which it is found. */
export interface WordedMail {
  tenantId: Uuid
  messageId: Uuid
  words: string[]
}

/** Texts that are read in one transaction, and addresses by their weight. */
export const MOST_OCTETS_READ = 2_097_152
/** By the weight of its addresses, a message below is like any other. */
const LIGHT_OCTETS = 8_192

/**
 * What somebody's mailboxes have of these messages, each once for each mailbox. Of tenants without a mailbox user it costs a look
 * whether they have one.
 */
export function findReadMail(db: Db, messages: readonly { tenantId: Uuid; messageId: Uuid }[]): Promise<HadMail[]> {
  return db.rows(sql<HadMail>`
    select h.tenant_id as "tenantId", h.id as "messageId", h.mailbox_id as "mailboxId",
      least(coalesce(octet_length(h.text), 0), ${TEXT_CHARS}) + least(coalesce(octet_length(h.html), 0), ${HTML_CHARS}) as octets
    from (
      select distinct e.tenant_id, e.id
      from unnest(${messages.map((message) => message.tenantId)}::uuid[], ${messages.map((message) => message.messageId)}::uuid[])
        as e (tenant_id, id)
      where exists (select from searched_mailboxes s where s.tenant_id = e.tenant_id)
    ) e
    cross join lateral (
      select m.tenant_id, m.id, n.mailbox_id, m.text, m.html
      from messages m
      cross join lateral (
        select n.mailbox_id from message_entries n where n.tenant_id = m.tenant_id and n.message_id = m.id
        union all
        select m.mailbox_id where m.in_sent
      ) n
      where m.tenant_id = e.tenant_id and m.environment_id = e.tenant_id and m.id = e.id and m.gone is null offset 0
    ) h
    where exists (select from searched_mailboxes s where s.tenant_id = h.tenant_id and s.mailbox_id = h.mailbox_id)
    order by h.tenant_id, h.id, h.mailbox_id`)
}

/** What the addresses of these messages weigh, by their ids; of most it is nothing worth mention, and they are not among them. */
export async function weighAddresses(
  db: Db,
  messages: readonly { tenantId: Uuid; messageId: Uuid }[],
): Promise<Map<Uuid, number>> {
  const rows = await db.rows(sql<{ id: Uuid; octets: number }>`
    select m.id, m.octets
    from unnest(${messages.map((message) => message.tenantId)}::uuid[], ${messages.map((message) => message.messageId)}::uuid[])
      as e (tenant_id, id)
    cross join lateral (
      select n.id, ${WEIGHT_OF_ADDRESSES}::integer * (octet_length(n.to_addresses::text) + octet_length(n.cc_addresses::text)
        + octet_length(n.bcc_addresses::text)) as octets
      from messages n where n.tenant_id = e.tenant_id and n.id = e.id offset 0
    ) m
    where m.octets > ${LIGHT_OCTETS}`)
  return new Map(rows.map(({ id, octets }) => [id, octets]))
}

interface TextRow {
  tenantId: Uuid
  messageId: Uuid
  subject: string
  fromAddress: string | null
  fromName: string | null
  to: MailAddress[]
  cc: MailAddress[]
  bcc: MailAddress[]
  text: string | null
  html: string | null
  filenames: string[]
  hasAttachment: boolean
}

/** The words of each of these messages that is still there. */
export async function readMailWords(db: Db, mail: readonly HadMail[]): Promise<WordedMail[]> {
  const messages = [...new Map(mail.map((one) => [one.messageId, one.tenantId]))]
  if (messages.length === 0) return []
  const rows = await db.rows(sql<TextRow>`
    select m.tenant_id as "tenantId", m.id as "messageId", m.subject, m.from_address as "fromAddress", m.from_name as "fromName",
      m.to_addresses as to, m.cc_addresses as cc, m.bcc_addresses as bcc, left(m.text, ${TEXT_CHARS}) as text,
      left(m.html, ${HTML_CHARS}) as html, m.attachment_count > 0 as "hasAttachment",
      array(
        select a.filename from message_attachments h
        join attachments a on a.tenant_id = h.tenant_id and a.id = h.attachment_id
        where m.attachment_count > 0 and h.tenant_id = m.tenant_id and h.message_id = m.id order by h.position) as filenames
    from unnest(${messages.map(([, tenantId]) => tenantId)}::uuid[], ${messages.map(([id]) => id)}::uuid[]) as e (tenant_id, id)
    cross join lateral (
      select n.tenant_id, n.id, n.subject, n.from_address, n.from_name, n.to_addresses, n.cc_addresses, n.bcc_addresses, n.text,
        n.html, n.attachment_count
      from messages n where n.tenant_id = e.tenant_id and n.id = e.id and n.gone is null offset 0
    ) m`)
  const mailOf = ({ fromAddress, fromName, to, cc, bcc, ...row }: TextRow) => {
    const from = fromAddress === null ? null : { address: fromAddress, name: fromName }
    return { ...row, from, recipients: [...to, ...cc, ...bcc] }
  }
  return inStretches(
    rows,
    ({ text, html, to, cc, bcc }) =>
      (text?.length ?? 0) + (html?.length ?? 0) + weightOfAddresses([...to, ...cc, ...bcc]),
    (row) => ({ tenantId: row.tenantId, messageId: row.messageId, words: wordsOfMail(mailOf(row)) }),
  )
}
