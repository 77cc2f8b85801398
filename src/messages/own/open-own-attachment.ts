// The files of a message, to a user of a mailbox in which it lies. Looking at one's own files leaves no record.
import type { Readable } from 'node:stream'
import type { MailboxUser } from '../../access/actor.ts'
import { assertMay } from '../../access/permissions.ts'
import { absent } from '../../access/problem.ts'
import { attachmentKey } from '../../attachments/attachment-key.ts'
import { ObjectMissing, type ObjectStore } from '../../lib/object-store.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { ownEntries } from './own-entries.ts'

export interface OwnAttachment {
  id: Uuid
  filename: string
  mediaType: string
  sizeBytes: number
  /** Opens its bytes, which the caller reads or destroys. @throws StoreUnavailable, ObjectMissing */
  open(): Promise<Readable>
}

/** In the order in which they are in the message. @throws Problem not_found */
export async function openOwnAttachments(
  db: Db,
  store: ObjectStore,
  actor: MailboxUser,
  messageId: Uuid,
): Promise<OwnAttachment[]> {
  assertMay(actor, 'readAttachments')
  await ownEntries(db, actor, messageId)
  const { tenantId } = actor
  const rows = await db.rows(sql<Omit<OwnAttachment, 'open'>>`
    select a.id, a.filename, a.media_type as "mediaType", a.size_bytes as "sizeBytes"
    from message_attachments h
    join attachments a on a.tenant_id = h.tenant_id and a.id = h.attachment_id
    where h.tenant_id = ${tenantId} and h.message_id = ${messageId}
    order by h.position`)
  return rows.map((row) => ({
    ...row,
    async open() {
      const key = attachmentKey(tenantId, row.id)
      const bytes = await store.get(key)
      if (!bytes) throw new ObjectMissing(key)
      return bytes
    },
  }))
}

/** One of them. @throws Problem not_found */
export async function openOwnAttachment(
  db: Db,
  store: ObjectStore,
  actor: MailboxUser,
  messageId: Uuid,
  id: Uuid,
): Promise<OwnAttachment> {
  const file = (await openOwnAttachments(db, store, actor, messageId)).find((each) => each.id === id)
  if (!file) throw absent('attachment')
  return file
}
