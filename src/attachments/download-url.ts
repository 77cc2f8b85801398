// Gives a URL by which the bytes of an attachment can be fetched for a while.
import type { Application } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Database, type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { requireAttachment } from './find-attachment.ts'
import type { AttachmentDownload } from './schemas.ts'
import type { Transfers } from './transfers.ts'

export interface DownloadDeps {
  database: Database
  transfers: Transfers
  downloadTtlSeconds: number
}

/** @throws Problem not_found */
export async function downloadUrl(deps: DownloadDeps, actor: Application, id: Uuid): Promise<AttachmentDownload> {
  assertMay(actor, 'readAttachments')
  const attachment = await requireAttachment(deps.database, actor, id)
  const { filename, mediaType, sizeBytes, sha256 } = attachment
  const expiresAt = await instantIn(deps.database, deps.downloadTtlSeconds)
  const { tenantId, keyId } = actor
  const link = { tenantId, keyId, id: attachment.id, filename, mediaType, expiresAt }
  return { url: await deps.transfers.downloadUrl(link), expiresAt, filename, mediaType, sizeBytes, sha256 }
}

/** So much later than now, by the database's clock, in the whole milliseconds that a link holds. */
async function instantIn(db: Db, seconds: number): Promise<Timestamp> {
  const row = await db.first(sql<{ at: Timestamp }>`
    select date_trunc('milliseconds', clock_timestamp()) + make_interval(secs => ${seconds}) as at`)
  return (row as { at: Timestamp }).at
}
