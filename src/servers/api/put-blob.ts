// The signed URL of an upload: bytes in, without an API key, as long as the URL holds.
import type { BlobLinks } from '../../attachments/local-transfers.ts'
import { putUpload } from '../../attachments/put-upload.ts'
import { MAX_ATTACHMENT_BYTES } from '../../attachments/schemas.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
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
      const { headers, raw } = request
      const length = headers['content-length']
      await putUpload(deps, linkIn(request, blobLinks, 'PUT'), {
        mediaType: headers['content-type'],
        sizeBytes: length === undefined ? undefined : Number(length),
        // What is refused before its end is still read to it, so that the refusal arrives.
        bytes: raw.iterator({ destroyOnReturn: false }),
      })
      return reply.code(200).send()
    }),
)
