// One attachment, by who may see it or by its signed URL.
import type { Realm } from '../access/actor.ts'
import { problem } from '../access/problem.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Attachment } from './schemas.ts'

/**
 * An attachment as its tenant and environment see it. Undefined when it is absent or foreign, or when every message
 * that it was in is gone.
 * (`offset 0` keeps its look-ups by index: PostgreSQL may hash all of the table otherwise.)
 */
export function findAttachment(db: Db, realm: Realm, id: Uuid): Promise<Attachment | undefined> {
  return db.first(sql<Attachment>`
    select a.id, a.mailbox_id as "mailboxId", m.id as "messageId", a.filename, a.media_type as "mediaType",
      a.size_bytes as "sizeBytes", encode(a.sha256, 'hex') as sha256, a.disposition, a.content_id as "contentId",
      a.created_at as "createdAt"
    from attachments a
    left join lateral (
      select m.id from message_attachments h
      join messages m on m.tenant_id = h.tenant_id and m.id = h.message_id and m.gone is null
      where h.tenant_id = a.tenant_id and h.attachment_id = a.id
      order by m.created_at, m.seq limit 1
    ) m on true
    where a.tenant_id = ${realm.tenantId} and a.environment_id = ${realm.environmentId} and a.id = ${id}
      and (m.id is not null or not exists (
        select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id offset 0))`)
}

/** @throws Problem not_found */
export async function requireAttachment(db: Db, realm: Realm, id: Uuid): Promise<Attachment> {
  const attachment = await findAttachment(db, realm, id)
  if (!attachment) throw problem('not_found')
  return attachment
}

/** The same by what a signed URL says, while the URL holds: by the database's clock. */
export function findForDownload(
  db: Db,
  link: { tenantId: Uuid; id: Uuid; expiresAtMs: number },
): Promise<{ filename: string; mediaType: string; sizeBytes: number; sha256: string } | undefined> {
  return db.first(sql<{ filename: string; mediaType: string; sizeBytes: number; sha256: string }>`
    select a.filename, a.media_type as "mediaType", a.size_bytes as "sizeBytes", encode(a.sha256, 'hex') as sha256
    from attachments a
    where a.tenant_id = ${link.tenantId} and a.id = ${link.id}
      and clock_timestamp() < to_timestamp(${link.expiresAtMs}::float8 / 1000)
      and (not exists (
          select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id offset 0)
        or exists (
          select from message_attachments h
          join messages m on m.tenant_id = h.tenant_id and m.id = h.message_id and m.gone is null
          where h.tenant_id = a.tenant_id and h.attachment_id = a.id offset 0))`)
}
