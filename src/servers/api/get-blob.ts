// The signed URL of a download: bytes out, without an API key, as long as the URL holds. Nothing is held in memory.
import contentDisposition from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../access/problem.ts'
import { attachmentKey } from '../../attachments/attachment-key.ts'
import { readByteRange } from '../../attachments/byte-range.ts'
import { findForDownload } from '../../attachments/find-attachment.ts'
import { isKeyGood } from '../../attachments/is-key-good.ts'
import type { BlobLinks } from '../../attachments/local-transfers.ts'
import { type ObjectKey, ObjectMissing, type ObjectStore } from '../../lib/object-store.ts'
import type { Db } from '../../lib/sql.ts'
import { defineOperation } from './operation.ts'
import { linkIn } from './signed/blob-link.ts'

interface Deps {
  database: Db
  store: ObjectStore
  /** Undefined when the store has signed URLs of its own. */
  blobLinks: BlobLinks | undefined
}

export default defineOperation(
  {
    name: 'getBlob',
    method: 'GET',
    path: '/v1/blobs/:token',
    auth: 'signed',
    outsideIpGuard: 'signed',
    answersHead: true,
    answers: {
      200: { mediaType: 'application/octet-stream', description: 'The bytes, or the range that was asked for.' },
    },
  },
  ({ database, store, blobLinks }: Deps) =>
    blobLinks &&
    (async (request, reply) => {
      const link = linkIn(request, blobLinks, 'GET')
      const [isGood, file] = await Promise.all([isKeyGood(database, link), findForDownload(database, link)])
      if (!isGood || !file) throw problem('not_found')
      return send(store, attachmentKey(link.tenantId, link.id), file, request, reply)
    }),
)

/**
 * Streams the bytes, or the range that is asked for, so that no browser makes anything of them but a file. To HEAD it only
 * mentions them.
 */
async function send(
  store: ObjectStore,
  key: ObjectKey,
  file: { filename: string; mediaType: string; sizeBytes: number; sha256: string },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.headers({
    'content-type': file.mediaType,
    'content-disposition': contentDisposition(file.filename),
    'content-security-policy': "sandbox; default-src 'none'",
    'accept-ranges': 'bytes',
    etag: `"${file.sha256}"`,
  })
  if (request.method === 'HEAD') {
    if (!(await store.head(key))) throw new ObjectMissing(key)
    return reply.header('content-length', file.sizeBytes).send()
  }
  // RFC 9110 §14.2: ranges are of GET alone.
  const range = readByteRange(request.headers.range, file.sizeBytes)
  if (range === 'unsatisfiable') {
    return reply
      .code(416)
      .headers({ 'content-range': `bytes */${file.sizeBytes}`, 'content-length': 0 })
      .send()
  }
  const bytes = await store.get(key, range)
  if (!bytes) throw new ObjectMissing(key)
  if (!range) return reply.header('content-length', file.sizeBytes).send(bytes)
  return reply
    .code(206)
    .headers({
      'content-range': `bytes ${range.start}-${range.end}/${file.sizeBytes}`,
      'content-length': range.end - range.start + 1,
    })
    .send(bytes)
}
