// The signed URL of an upload: bytes in, without an API key, as long as the URL holds.
import type { BlobLinks } from '../../attachments/local-transfers.ts'
import { putUpload } from '../../attachments/put-upload.ts'
import { MAX_ATTACHMENT_BYTES } from '../../attachments/schemas.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import type { Database } from '../../lib/sql.ts'
import { defineOperation } from './operation.ts'
import { BlobParams, linkIn } from './signed/blob-link.ts'

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
    params: BlobParams,
    body: 'stream',
    answers: { 200: null },
    words: {
      tag: 'Attachments',
      summary: 'Put the bytes of a file',
      description:
        'The `upload.url` that `prepareAttachmentUpload` gave, as it is, with every header of `upload.headers` and ' +
        'no API key. Then complete the upload. A URL that is not valid, or no longer, is 404. Where files are kept in ' +
        'an S3 store its own URLs take the place of this one, and answer as that store does.',
      errors: ['upload_expired', 'upload_mismatch'],
    },
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
