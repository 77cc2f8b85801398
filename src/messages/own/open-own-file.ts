// A file that a mailbox user may send: one that was uploaded to a mailbox that the user may write from, one of a draft there, or one of
// a message that lies in a mailbox of the user.
import type { Readable } from 'node:stream'
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent } from '../../access/problem.ts'
import { attachmentKey } from '../../attachments/attachment-key.ts'
import { ObjectMissing, type ObjectStore } from '../../lib/object-store.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'

interface OwnFile {
  filename: string
  mediaType: string
  sizeBytes: number
  /** Opens its bytes, which the caller reads or destroys. @throws StoreUnavailable, ObjectMissing */
  open(): Promise<Readable>
}

/** @throws Problem not_found */
export async function openOwnFile(db: Db, store: ObjectStore, actor: MailboxUser, id: Uuid): Promise<OwnFile> {
  assertMay(actor, 'readAttachments')
  const file = await findOwnFile(db, actor, id)
  if (!file) throw absent('attachment')
  return {
    ...file,
    async open() {
      const key = attachmentKey(actor.tenantId, id)
      const bytes = await store.get(key)
      if (!bytes) throw new ObjectMissing(key)
      return bytes
    },
  }
}

function findOwnFile(db: Db, actor: MailboxUser, id: Uuid) {
  const mailboxes = [...actor.mailboxes.keys()]
  const writable = mailboxes.filter((mailboxId) => actor.mailboxes.get(mailboxId) === 'write')
  return db.first(sql<Omit<OwnFile, 'open'>>`
    select a.filename, a.media_type as "mediaType", a.size_bytes as "sizeBytes"
    from attachments a
    where a.tenant_id = ${actor.tenantId} and a.environment_id = ${actor.environmentId} and a.id = ${id}
      and (
        a.mailbox_id = any (${writable}::uuid[]) and not exists (
          select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id offset 0)
        or exists (
          select from draft_attachments h
          join drafts d on d.tenant_id = h.tenant_id and d.id = h.draft_id and d.mailbox_id = any (${writable}::uuid[])
          where h.tenant_id = a.tenant_id and h.attachment_id = a.id offset 0)
        or exists (
          select from message_attachments h
          join messages m on m.tenant_id = h.tenant_id and m.id = h.message_id and m.gone is null
          where h.tenant_id = a.tenant_id and h.attachment_id = a.id
            and (
              m.in_sent and m.mailbox_id = any (${mailboxes}::uuid[])
              or not m.in_sent and exists (
                select from message_entries e
                where e.tenant_id = m.tenant_id and e.message_id = m.id and e.mailbox_id = any (${mailboxes}::uuid[])))
          offset 0))`)
}
