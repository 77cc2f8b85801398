// Mail in mailboxes as tests write it, of whatever time: with its entries and its first event, as it is received.
import { appendEvents } from '../../src/events/append.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import type { Folder } from '../../src/messages/schemas.ts'

export interface MailboxMail {
  mailboxIds: readonly Uuid[]
  folder?: Folder
  isRead?: boolean
  isStarred?: boolean
  createdAt?: string
  from?: string
  fromName?: string
  to?: { address: string; name: string | null }[]
  subject?: string
  text?: string | null
  html?: string | null
}

/** Gives their ids. */
export async function writeMail(database: Database, tenantId: Uuid, mail: readonly MailboxMail[]): Promise<Uuid[]> {
  const rows = mail.map((one) => ({ id: newId(), ...one }))
  await database.transaction(async (tx) => {
    await tx.rows(sql`
      with given as (
        select * from json_to_recordset(${JSON.stringify(rows)}::json) as g (id uuid, "mailboxIds" json, folder text,
          "isRead" boolean, "isStarred" boolean, "createdAt" timestamptz, "from" text, "fromName" text, "to" json, subject text,
          text text, html text)
      ),
      written as (
        insert into messages (tenant_id, id, environment_id, created_at, direction, from_address, from_name, to_addresses, cc_addresses,
          bcc_addresses, subject, preview, received_at, size_bytes, text, html)
        select ${tenantId}, g.id, ${tenantId}, coalesce(g."createdAt", clock_timestamp()), 'inbound', coalesce(g."from", 'someone@example.test'),
          g."fromName", coalesce(g."to", '[]'), '[]', '[]', coalesce(g.subject, ''), '', clock_timestamp(), 100, g.text, g.html
        from given g
        returning id, created_at, seq
      )
      insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read, is_starred, trashed_at)
      select ${tenantId}, w.id, b.id::uuid, ${tenantId}, w.created_at, w.seq, coalesce(g.folder, 'inbox'), coalesce(g."isRead", false),
        coalesce(g."isStarred", false), case when g.folder = 'trash' then clock_timestamp() end
      from written w join given g on g.id = w.id cross join json_array_elements_text(g."mailboxIds") as b (id)`)
    await appendEvents(
      tx,
      rows.map(({ id, mailboxIds: [mailboxId = ''], mailboxIds }) => ({
        ...{ tenantId, environmentId: tenantId, type: 'message.received', resourceType: 'message', resourceId: id },
        data: { mailboxId, mailboxIds },
      })),
    )
  })
  return rows.map(({ id }) => id)
}
