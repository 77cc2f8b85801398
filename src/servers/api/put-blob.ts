// The signed URL of an upload: bytes in, without an API key, as long as the URL holds. Nothing is held in memory, and what
// is not as announced leaves nothing behind.
import type { FastifyRequest } from 'fastify'
import { problem } from '../../access/problem.ts'
import type { BlobLinks } from '../../attachments/local-transfers.ts'
import { MAX_ATTACHMENT_BYTES } from '../../attachments/schemas.ts'
import { attachmentKey, findUpload, isKeyGood, recordPut, type Upload } from '../../attachments/store.ts'
import type { Mismatch } from '../../attachments/transfers.ts'
import { DigestMismatch, verified } from '../../attachments/verified.ts'
import { type ObjectStore, SizeMismatch } from '../../lib/object-store.ts'
import type { Database } from '../../lib/sql.ts'
import { defineOperation } from './operation.ts'
import { linkIn } from './signed/blob-link.ts'

interface Deps {
  database: Database
  store: ObjectStore
  /** Undefined when the store has signed URLs of its own. */
  blobLinks: BlobLinks | undefined
}

export default defineOperation(
  {
    name: 'putBlob',
    method: 'PUT',
    path: '/v1/blobs/:token',
    auth: 'signed',
    outsideIpGuard: 'signed',
    bodyLimitBytes: MAX_ATTACHMENT_BYTES,
    body: 'stream',
    answers: { 200: null },
  },
  ({ blobLinks, ...deps }: Deps) =>
    blobLinks &&
    (async (request, reply) => {
      const link = linkIn(request, blobLinks, 'PUT')
      const [isGood, upload] = await Promise.all([
        isKeyGood(deps.database, link),
        findUpload(deps.database, link, link.id),
      ])
      if (!isGood || !upload) throw problem('not_found')
      if (upload.isExpired) throw problem('upload_expired')
      await put(deps, upload, request)
      return reply.code(200).send()
    }),
)

/** @throws Problem upload_mismatch, upload_expired; StoreUnavailable */
async function put(deps: Pick<Deps, 'database' | 'store'>, upload: Upload, request: FastifyRequest): Promise<void> {
  const refuse = async (of: Mismatch[]) => {
    await recordPut(deps.database, upload, of)
    return problem('upload_mismatch', { details: { mismatch: of } })
  }
  if (request.headers['content-type'] !== upload.mediaType) throw await refuse(['mediaType'])
  const length = request.headers['content-length']
  if (length !== undefined && Number(length) !== upload.sizeBytes) throw await refuse(['size'])
  const key = attachmentKey(upload.tenantId, upload.id)
  // What is refused before its end is still read to it, so that the refusal arrives.
  const source = inTime(deps, upload, verified(request.raw.iterator({ destroyOnReturn: false }), upload))
  try {
    // What was put lies there already; or its attachment has come and gone, and nothing would remove it once more.
    if (upload.isPut) await readToItsEnd(source)
    else await deps.store.put(key, source, upload.sizeBytes)
  } catch (error) {
    if (error instanceof DigestMismatch) throw await refuse(['sha256'])
    if (error instanceof SizeMismatch) throw await refuse(['size'])
    throw error
  }
  await recordPut(deps.database, upload, null)
}

/** The bytes, or an error in place of their end when the upload's time has passed meanwhile. */
async function* inTime(
  deps: Pick<Deps, 'database' | 'store'>,
  upload: Upload,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* source
  const now = await findUpload(deps.database, upload, upload.id)
  if (!now || now.isExpired) throw problem('upload_expired')
}

async function readToItsEnd(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of source);
}
