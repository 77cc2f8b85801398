// The bytes of a message's file, to somebody who is not to have a URL of them: each time leaves a record.
import type { Readable } from 'node:stream'
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { assertSeesContent } from '../apps/see-content.ts'
import { recordAct } from '../audit/record.ts'
import { ObjectMissing, type ObjectStore } from '../lib/object-store.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { attachmentKey } from './attachment-key.ts'

export interface OpenedAttachment {
  filename: string
  mediaType: string
  sizeBytes: number
  /** Opens its bytes, which the caller reads or destroys. @throws StoreUnavailable, ObjectMissing */
  open(): Promise<Readable>
}

/** Of a message that is there. @throws Problem not_found, content_hidden */
export function openAttachment(
  database: Database,
  store: ObjectStore,
  actor: TenantActor,
  messageId: Uuid,
  id: Uuid,
): Promise<OpenedAttachment> {
  assertMay(actor, 'readAttachments')
  return database.transaction(async (tx) => {
    await assertSeesContent(tx, actor)
    const file = await findOfMessage(tx, actor, messageId, id)
    if (!file) throw absent('attachment')
    await recordAct(tx, actor, { operation: 'attachment.download', resourceType: 'attachment', resourceId: id })
    const key = attachmentKey(actor.tenantId, file.id)
    return {
      ...file,
      async open() {
        const bytes = await store.get(key)
        if (!bytes) throw new ObjectMissing(key)
        return bytes
      },
    }
  })
}

function findOfMessage(db: Db, actor: TenantActor, messageId: Uuid, id: Uuid) {
  return db.first(sql<{ id: Uuid; filename: string; mediaType: string; sizeBytes: number }>`
    select a.id, a.filename, a.media_type as "mediaType", a.size_bytes as "sizeBytes"
    from message_attachments h
    join messages m on m.tenant_id = h.tenant_id and m.id = h.message_id and m.gone is null
    join attachments a on a.tenant_id = h.tenant_id and a.id = h.attachment_id
    where h.tenant_id = ${actor.tenantId} and m.environment_id = ${actor.environmentId} and h.message_id = ${messageId}
      and h.attachment_id = ${id}
    limit 1`)
}
