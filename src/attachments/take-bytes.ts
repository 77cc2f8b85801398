// Takes the bytes of an upload into the store. Nothing is held in memory, and what is not as announced leaves nothing behind. Who may
// put them, the caller has looked at. Knows nothing of HTTP.
import { problem } from '../access/problem.ts'
import { type ObjectStore, SizeMismatch } from '../lib/object-store.ts'
import type { Database } from '../lib/sql.ts'
import { attachmentKey } from './attachment-key.ts'
import { findUpload, type Upload } from './find-upload.ts'
import { recordPut } from './record-put.ts'
import type { Mismatch } from './transfers.ts'
import { DigestMismatch, verified } from './verified.ts'

export interface TakeDeps {
  database: Database
  store: ObjectStore
}

export interface SentBytes {
  mediaType: string | undefined
  /** What the sender says they come to; undefined when the sender does not say. */
  sizeBytes: number | undefined
  bytes: AsyncIterable<Uint8Array>
}

/** @throws Problem upload_expired, upload_mismatch; StoreUnavailable */
export async function takeBytes(deps: TakeDeps, upload: Upload, sent: SentBytes): Promise<void> {
  if (upload.isExpired) throw problem('upload_expired')
  const mismatch = await store(deps, upload, sent)
  await recordPut(deps.database, upload, mismatch && [mismatch])
  if (mismatch) throw problem('upload_mismatch', { details: { mismatch: [mismatch] } })
}

/** Gives what is not as announced, if anything. @throws Problem upload_expired; StoreUnavailable */
async function store(
  deps: TakeDeps,
  upload: Upload,
  { mediaType, sizeBytes, bytes }: SentBytes,
): Promise<Mismatch | null> {
  if (mediaType !== upload.mediaType) return 'mediaType'
  if (sizeBytes !== undefined && sizeBytes !== upload.sizeBytes) return 'size'
  const source = inTime(deps, upload, verified(bytes, upload))
  try {
    // What was put lies there already; or its attachment has come and gone, and nothing would remove it once more.
    if (upload.isPut) await readToItsEnd(source)
    else await deps.store.put(attachmentKey(upload.tenantId, upload.id), source, upload.sizeBytes)
    return null
  } catch (error) {
    if (error instanceof DigestMismatch) return 'sha256'
    if (error instanceof SizeMismatch) return 'size'
    throw error
  }
}

/** The bytes, or an error in place of their end when the upload's time has passed meanwhile. */
async function* inTime(deps: TakeDeps, upload: Upload, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* source
  const now = await findUpload(deps.database, upload, upload.id)
  if (!now || now.isExpired) throw problem('upload_expired')
}

async function readToItsEnd(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of source);
}
