// The signed URL of a download: bytes out, without an API key, as long as the URL holds. Nothing is held in memory.
import contentDisposition from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { attachmentKey } from '../../attachments/attachment-key.ts'
import { readByteRange } from '../../attachments/byte-range.ts'
import { findForDownload } from '../../attachments/find-attachment.ts'
import { isKeyGood } from '../../attachments/is-key-good.ts'
import type { BlobLinks } from '../../attachments/local-transfers.ts'
import { type ObjectKey, ObjectMissing, type ObjectStore } from '../../lib/object-store.ts'
import type { Db } from '../../lib/sql.ts'
import { HttpProblem } from '../http/status-codes.ts'
import { defineOperation } from './operation.ts'
import { BlobParams, linkIn, linkNotFound } from './signed/blob-link.ts'

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
    params: BlobParams,
    answers: {
      200: { mediaType: '*/*', description: 'The bytes.', headers: ['Content-Disposition', 'ETag'] },
      206: {
        mediaType: '*/*',
        description: 'The range that was asked for.',
        headers: ['Content-Disposition', 'ETag', 'Content-Range'],
      },
    },
    words: {
      tag: 'Attachments',
      summary: 'Get the bytes of a file',
      description:
        'The `url` that `getAttachmentDownloadUrl` gave, as it is: no API key goes with it. It takes one range in ' +
        '`Range`. A URL that is not valid, or no longer, is 404. Where files are kept in an S3 store its own URLs take ' +
        'the place of this one, and answer as that store does.',
      errors: ['range_not_satisfiable'],
    },
  },
  ({ database, store, blobLinks }: Deps) =>
    blobLinks &&
    (async (request, reply) => {
      const link = linkIn(request, blobLinks, 'GET')
      const [isGood, file] = await Promise.all([isKeyGood(database, link), findForDownload(database, link)])
      if (!isGood || !file) throw linkNotFound()
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
  const shown = {
    'content-type': file.mediaType,
    'content-disposition': contentDisposition(file.filename),
    'content-security-policy': "sandbox; default-src 'none'",
    'accept-ranges': 'bytes',
    etag: `"${file.sha256}"`,
  }
  if (request.method === 'HEAD') {
    if (!(await store.head(key))) throw new ObjectMissing(key)
    return reply.headers({ ...shown, 'content-length': file.sizeBytes }).send()
  }
  // RFC 9110 §14.2: ranges are of GET alone; §13.1.5: whoever has begun another file gets the whole of this one.
  const { range: asked, 'if-range': begun = shown.etag } = request.headers
  const range = begun === shown.etag ? readByteRange(asked, file.sizeBytes) : undefined
  if (range === 'unsatisfiable') throw outOfRange(file.sizeBytes)
  const bytes = await store.get(key, range)
  if (!bytes) throw new ObjectMissing(key)
  if (!range) return reply.headers({ ...shown, 'content-length': file.sizeBytes }).send(bytes)
  const { start, end } = range
  const part = { 'content-range': `bytes ${start}-${end}/${file.sizeBytes}`, 'content-length': end - start + 1 }
  return reply
    .code(206)
    .headers({ ...shown, ...part })
    .send(bytes)
}

function outOfRange(sizeBytes: number): HttpProblem {
  const headers = { 'content-range': `bytes */${sizeBytes}` }
  return new HttpProblem('range_not_satisfiable', headers, { details: { sizeBytes } })
}
