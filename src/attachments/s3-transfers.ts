// Signed URLs of an S3 store. A client puts into a place of its own; what lies there is verified and copied to where
// attachments lie, so that the URL, which lives on for a while, can change nothing any more.
import { createHash } from 'node:crypto'
import contentDisposition from 'content-disposition'
import type { S3Store } from '../lib/object-store/s3.ts'
import { objectKey } from '../lib/object-store.ts'
import { streamed } from '../lib/streamed-bytes.ts'
import type { Uuid } from '../lib/uuid.ts'
import { attachmentKey } from './attachment-key.ts'
import type { Upload } from './find-upload.ts'
import type { Mismatch, PutState, Transfers } from './transfers.ts'

const stagingKey = (tenantId: Uuid, id: Uuid) => objectKey('uploads', tenantId, id)

export function createS3Transfers(store: S3Store): Transfers {
  return {
    objects: ({ tenantId, id }) => [attachmentKey(tenantId, id), stagingKey(tenantId, id)],
    // A PUT that begins in time may take its time.
    lateMs: 3_600_000,
    uploadUrl(upload) {
      return store.signPut(stagingKey(upload.tenantId, upload.id), upload, new Date(upload.expiresAt))
    },
    inspect: (upload) => inspect(store, upload),
    downloadUrl({ tenantId, id, filename, mediaType, expiresAt }) {
      const shown = { disposition: contentDisposition(filename), mediaType }
      return store.signGet(attachmentKey(tenantId, id), shown, new Date(expiresAt))
    },
  }
}

async function inspect(store: S3Store, upload: Upload): Promise<PutState> {
  const { tenantId, id } = upload
  const staged = stagingKey(tenantId, id)
  const found = await store.describe(staged)
  if (!found) return { kind: 'missing' }
  const of: Mismatch[] = []
  if (found.sizeBytes !== upload.sizeBytes) of.push('size')
  if (found.mediaType !== upload.mediaType) of.push('mediaType')
  if (of.length === 0 && (found.sha256 ?? (await digestOf(store, upload))) !== upload.sha256) of.push('sha256')
  if (of.length > 0) return { kind: 'mismatch', of }
  // Other bytes put since would have another etag.
  const copied = await store.copy(staged, found.etag, attachmentKey(tenantId, id))
  return copied ? { kind: 'as_announced' } : { kind: 'missing' }
}

/** Stores other than Amazon's keep no SHA-256: then the bytes are read. */
async function digestOf(store: S3Store, { tenantId, id }: Upload): Promise<string | undefined> {
  const bytes = await store.get(stagingKey(tenantId, id))
  if (!bytes) return undefined
  const hash = createHash('sha256')
  for await (const chunk of bytes) {
    hash.update(chunk)
    streamed(chunk.length)
  }
  return hash.digest('hex')
}
