// An upload that was announced, and what has become of it.
import type { Realm } from '../access/actor.ts'
import { type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

/** What is known of a file before and after its bytes have come. */
export interface StoredFile {
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

/** Undefined when absent, foreign or of another environment. */
export function findUpload(db: Db, realm: Realm, id: Uuid): Promise<Upload | undefined> {
  return db.first(sql<Upload>`
    select tenant_id as "tenantId", id, environment_id as "environmentId", mailbox_id as "mailboxId", filename,
      media_type as "mediaType", size_bytes as "sizeBytes", encode(sha256, 'hex') as sha256, put_at is not null as "isPut",
      refused, expires_at <= clock_timestamp() as "isExpired", expires_at as "expiresAt", completed_at as "completedAt"
    from uploads
    where tenant_id = ${realm.tenantId} and environment_id = ${realm.environmentId} and id = ${id}`)
}
