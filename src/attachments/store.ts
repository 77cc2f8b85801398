// The tables of uploads and attachments.
import type { Realm } from '../access/actor.ts'
import { type ObjectKey, objectKey } from '../lib/object-store.ts'
import { type Db, sql, type Timestamp, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Attachment } from './schemas.ts'

/** Where the bytes of an attachment lie for good. */
export function attachmentKey(tenantId: Uuid, id: Uuid): ObjectKey {
  return objectKey('attachments', tenantId, id)
}

export type MailboxState = 'active' | 'suspended'

export async function mailboxState(db: Db, realm: Realm, id: Uuid): Promise<MailboxState | undefined> {
  const row = await db.first(sql<{ status: MailboxState }>`
    select status from mailboxes where tenant_id = ${realm.tenantId} and id = ${id}`)
  return row?.status
}

/** What a tenant has stored and may store, in bytes; 0: as much as it likes. */
export async function storageOf(db: Db, tenantId: Uuid): Promise<{ used: number; limit: number }> {
  const row = await db.first(sql<{ used: number; limit: number }>`
    select coalesce(s.stored_bytes, 0) as used, p.stored_mib::bigint * 1048576 as limit
    from tenants t join plans p on p.name = t.plan left join tenant_storage s on s.tenant_id = t.id
    where t.id = ${tenantId}`)
  return row ?? { used: 0, limit: 0 }
}

interface StoredFile {
  tenantId: Uuid
  id: Uuid
  environmentId: Uuid
  mailboxId: Uuid
  filename: string
  mediaType: string
  sizeBytes: number
  /** Lower-case hex. */
  sha256: string
}

export interface Upload extends StoredFile {
  /** Bytes that are as announced have been put. */
  isPut: boolean
  /** What was wrong with the bytes that were put last; null when nothing was. */
  refused: ('size' | 'mediaType' | 'sha256')[] | null
  isExpired: boolean
  expiresAt: Timestamp
  /** When it became an attachment, which may be gone since; null when it never did. */
  completedAt: Timestamp | null
}

export async function insertUpload(
  tx: Tx,
  realm: Realm,
  upload: Pick<Upload, 'id' | 'mailboxId' | 'filename' | 'mediaType' | 'sizeBytes' | 'sha256'>,
  ttlSeconds: number,
): Promise<void> {
  await tx.rows(sql`
    insert into uploads (tenant_id, id, environment_id, mailbox_id, filename, media_type, size_bytes, sha256,
      created_at, expires_at)
    select ${realm.tenantId}, ${upload.id}, ${realm.environmentId}, ${upload.mailboxId}, ${upload.filename},
      ${upload.mediaType}, ${upload.sizeBytes}, decode(${upload.sha256}, 'hex'), at,
      at + make_interval(secs => ${ttlSeconds})
    from clock_timestamp() as at`)
}

/** Undefined when absent, foreign or of another environment. */
export function findUpload(db: Db, realm: Realm, id: Uuid): Promise<Upload | undefined> {
  return db.first(sql<Upload>`
    select tenant_id as "tenantId", id, environment_id as "environmentId", mailbox_id as "mailboxId", filename,
      media_type as "mediaType", size_bytes as "sizeBytes", encode(sha256, 'hex') as sha256, put_at is not null as "isPut",
      refused, expires_at <= clock_timestamp() as "isExpired", expires_at as "expiresAt", completed_at as "completedAt"
    from uploads
    where tenant_id = ${realm.tenantId} and environment_id = ${realm.environmentId} and id = ${id}`)
}

/** Makes those that complete an upload take turns. Gives whether one of them has done it. */
export async function isCompleted(tx: Tx, { tenantId, id }: Pick<Upload, 'tenantId' | 'id'>): Promise<boolean> {
  const row = await tx.first(sql<{ completed: boolean }>`
    select completed_at is not null as completed from uploads
    where tenant_id = ${tenantId} and id = ${id} for update`)
  return row?.completed ?? false
}

/** Notes that it is the attachment now that was written before. */
export async function recordCompletion(tx: Tx, { tenantId, id }: Pick<Upload, 'tenantId' | 'id'>): Promise<void> {
  await tx.rows(sql`
    update uploads u set completed_at = a.created_at from attachments a
    where u.tenant_id = ${tenantId} and u.id = ${id} and a.tenant_id = u.tenant_id and a.id = u.id`)
}

/** Notes what came of a PUT. */
export async function recordPut(
  db: Db,
  upload: Pick<Upload, 'tenantId' | 'id'>,
  refused: string[] | null,
): Promise<void> {
  await db.rows(sql`
    update uploads set put_at = case when ${refused}::text[] is null then clock_timestamp() else put_at end,
      refused = ${refused}::text[]
    where tenant_id = ${upload.tenantId} and id = ${upload.id}`)
}

export interface NewAttachment extends StoredFile {
  disposition: 'attachment' | 'inline'
  contentId: string | null
}

/** The object of each lies at `attachmentKey`. */
export async function insertAttachments(tx: Tx, attachments: readonly NewAttachment[]): Promise<void> {
  if (attachments.length === 0) return
  const rows = attachments.map((a) => ({ ...a, key: attachmentKey(a.tenantId, a.id) }))
  await tx.rows(sql`
    insert into attachments (tenant_id, id, environment_id, mailbox_id, filename, media_type, size_bytes, sha256,
      disposition, content_id, object_key, created_at)
    select a."tenantId", a.id, a."environmentId", a."mailboxId", a.filename, a."mediaType", a."sizeBytes",
      decode(a.sha256, 'hex'), a.disposition, a."contentId", a.key, clock_timestamp()
    from json_to_recordset(${JSON.stringify(rows)}::json) as a ("tenantId" uuid, id uuid, "environmentId" uuid,
      "mailboxId" uuid, filename text, "mediaType" text, "sizeBytes" bigint, sha256 text, disposition text,
      "contentId" text, key text)`)
}

/** Says which message the attachments are in, in their order. */
export async function attachToMessage(
  tx: Tx,
  message: { tenantId: Uuid; id: Uuid },
  attachments: readonly { id: Uuid; partId: string | null }[],
): Promise<void> {
  if (attachments.length === 0) return
  await tx.rows(sql`
    insert into message_attachments (tenant_id, message_id, position, attachment_id, part_id)
    select ${message.tenantId}, ${message.id}, (a.n - 1)::smallint, a.id, a.part_id
    from unnest(${attachments.map((a) => a.id)}::uuid[], ${attachments.map((a) => a.partId)}::text[])
      with ordinality as a (id, part_id, n)`)
}

/**
 * An attachment as its tenant and environment see it. Undefined when it is absent or foreign, or when every message
 * that it was in is gone.
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
        select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id))`)
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
          select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id)
        or exists (
          select from message_attachments h
          join messages m on m.tenant_id = h.tenant_id and m.id = h.message_id and m.gone is null
          where h.tenant_id = a.tenant_id and h.attachment_id = a.id))`)
}

/** Whether the API key that a signed URL was given to would be let in now. specification.md#signed-urls */
export async function isKeyGood(db: Db, { tenantId, keyId }: { tenantId: Uuid; keyId: Uuid }): Promise<boolean> {
  const row = await db.first(sql`
    select from api_keys k
    join apps a on a.tenant_id = k.tenant_id and a.id = k.app_id
    join tenants t on t.id = k.tenant_id
    where k.tenant_id = ${tenantId} and k.id = ${keyId} and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > clock_timestamp()) and a.status = 'active' and t.status = 'active'`)
  return row !== undefined
}

/** Whether the bytes of an attachment are wanted still, visible or held. */
export async function isStored(db: Db, { tenantId, id }: Pick<Upload, 'tenantId' | 'id'>): Promise<boolean> {
  const row = await db.first(sql`select from attachments where tenant_id = ${tenantId} and id = ${id}`)
  return row !== undefined
}

/** So much later than now, by the database's clock. */
export async function instantIn(db: Db, seconds: number): Promise<Timestamp> {
  const row = await db.first(sql<{ at: Timestamp }>`
    select clock_timestamp() + make_interval(secs => ${seconds}) as at`)
  return (row as { at: Timestamp }).at
}
