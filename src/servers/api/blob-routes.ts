// The signed URLs of this service: bytes in and out, without an API key, as long as the URL holds. Nothing is held in
// memory, and what is not as announced leaves nothing behind.
import contentDisposition from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../access/problem.ts'
import { readByteRange } from '../../attachments/byte-range.ts'
import type { BlobLink, BlobLinks } from '../../attachments/local-transfers.ts'
import { MAX_ATTACHMENT_BYTES } from '../../attachments/schemas.ts'
import {
  attachmentKey,
  findForDownload,
  findUpload,
  isKeyGood,
  recordPut,
  type Upload,
} from '../../attachments/store.ts'
import type { Mismatch } from '../../attachments/transfers.ts'
import { DigestMismatch, verified } from '../../attachments/verified.ts'
import { type ObjectKey, ObjectMissing, type ObjectStore, SizeMismatch } from '../../lib/object-store.ts'
import type { Database } from '../../lib/sql.ts'
import type { Server } from '../http/server.ts'

export interface BlobDeps {
  database: Database
  store: ObjectStore
  links: BlobLinks
}

export function blobRoutes(app: Server, deps: BlobDeps): void {
  // A scope of its own, in which bodies of any type stay streams.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const linkOf = (request: FastifyRequest, method: BlobLink['method']): BlobLink => {
      const link = deps.links.decode((request.params as { token: string }).token)
      if (link?.method !== method) throw problem('not_found')
      request.isSigned = true
      return link
    }

    scope.put(
      '/v1/blobs/:token',
      {
        config: { operation: 'putBlob', outsideIpGuard: 'signed', streamsBody: true },
        bodyLimit: MAX_ATTACHMENT_BYTES,
      },
      async (request, reply) => {
        const link = linkOf(request, 'PUT')
        const [isGood, upload] = await Promise.all([
          isKeyGood(deps.database, link),
          findUpload(deps.database, link, link.id),
        ])
        if (!isGood || !upload) throw problem('not_found')
        if (upload.isExpired) throw problem('upload_expired')
        await put(deps, upload, request)
        return reply.code(200).send()
      },
    )

    scope.route({
      // HEAD by itself, which opens nothing: the framework's own would read it all to its end.
      method: ['GET', 'HEAD'],
      url: '/v1/blobs/:token',
      config: { operation: 'getBlob', outsideIpGuard: 'signed' },
      async handler(request, reply) {
        const link = linkOf(request, 'GET')
        const [isGood, file] = await Promise.all([isKeyGood(deps.database, link), findForDownload(deps.database, link)])
        if (!isGood || !file) throw problem('not_found')
        return send(deps, attachmentKey(link.tenantId, link.id), file, request, reply)
      },
    })
  })
}

/** @throws Problem upload_mismatch, upload_expired; StoreUnavailable */
async function put(deps: BlobDeps, upload: Upload, request: FastifyRequest): Promise<void> {
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
async function* inTime(deps: BlobDeps, upload: Upload, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* source
  const now = await findUpload(deps.database, upload, upload.id)
  if (!now || now.isExpired) throw problem('upload_expired')
}

async function readToItsEnd(source: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of source);
}

/**
 * Streams the bytes, or the range that is asked for, so that no browser makes anything of them but a file. To HEAD it only
 * tells of them.
 */
async function send(
  deps: BlobDeps,
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
    if (!(await deps.store.head(key))) throw new ObjectMissing(key)
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
  const bytes = await deps.store.get(key, range)
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
