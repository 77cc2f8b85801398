// Takes the bytes of an upload by a signed URL of this service. Knows nothing of HTTP.
import { problem } from '../access/problem.ts'
import { findUpload } from './find-upload.ts'
import { isKeyGood } from './is-key-good.ts'
import type { BlobLink } from './local-transfers.ts'
import { type SentBytes, type TakeDeps, takeBytes } from './take-bytes.ts'

/** @throws Problem not_found, upload_expired, upload_mismatch; StoreUnavailable */
export async function putUpload(deps: TakeDeps, link: BlobLink, sent: SentBytes): Promise<void> {
  const [isGood, upload] = await Promise.all([isKeyGood(deps.database, link), findUpload(deps.database, link, link.id)])
  if (!isGood || !upload) throw problem('not_found')
  await takeBytes(deps, upload, sent)
}
