// The attachment operations over HTTP.
import type { FastifyRequest } from 'fastify'
import { problem } from '../../access/problem.ts'
import {
  type AttachmentDeps,
  completeUpload,
  downloadInJson,
  downloadUrl,
  findForJson,
  NOT_THIS_WAY,
  prepareUpload,
  uploadInJson,
} from '../../attachments/manage-attachments.ts'
import {
  AttachmentAnswer,
  AttachmentDownload,
  LegacyDownload,
  PrepareAttachmentInput,
  PreparedAttachment,
  UploadAttachmentInput,
} from '../../attachments/schemas.ts'
import { createKeyHolder, type HeldKey } from '../../idempotency/hold-key.ts'
import { IdParams } from '../../lib/schemas.ts'
import { newId } from '../../lib/uuid.ts'
import { originOf } from '../http/request-origin.ts'
import type { Server } from '../http/server.ts'

/** specification.md#limits-of-a-request */
const LEGACY_BODY_LIMIT_BYTES = 5 * 1024 * 1024

export function attachmentRoutes(app: Server, deps: AttachmentDeps): void {
  const params = IdParams('attachmentId')

  app.post(
    '/v1/attachments/uploads',
    {
      config: { operation: 'prepareAttachmentUpload', idempotent: true },
      schema: { body: PrepareAttachmentInput, response: { 201: PreparedAttachment } },
    },
    async (request, reply) => {
      const { principal, idempotencyKey, body: input } = request
      const { body, replayed } = await prepareUpload(deps, principal, idempotencyKey, input, originOf(request))
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(201).send(body)
    },
  )

  app.post(
    '/v1/attachments/uploads/:uploadId/complete',
    {
      config: { operation: 'completeAttachmentUpload' },
      schema: { params: IdParams('uploadId'), response: { 200: AttachmentAnswer } },
    },
    async (request) => {
      const { uploadId } = request.params
      return { attachment: await completeUpload(deps, request.principal, uploadId, originOf(request)) }
    },
  )

  app.get(
    '/v1/attachments/:attachmentId/download-url',
    {
      config: { operation: 'getAttachmentDownloadUrl' },
      schema: { params, response: { 200: AttachmentDownload } },
    },
    async ({ principal, params: { attachmentId } }) => downloadUrl(deps, principal, attachmentId),
  )

  const keys = createKeyHolder(deps.database, (error) => {
    app.log.warn({ err: error }, 'idempotency keys of uploads under way were not held on to')
  })
  app.addHook('onClose', async () => keys.stop())
  /** The key of a legacy upload that is under way, held for what the attachment will be called. */
  const uploads = new WeakMap<FastifyRequest, HeldKey>()
  app.post(
    '/v1/attachments',
    {
      config: { operation: 'uploadAttachment', idempotent: true },
      bodyLimit: LEGACY_BODY_LIMIT_BYTES,
      schema: { body: UploadAttachmentInput, response: { 201: AttachmentAnswer } },
      // Its body may take its time: whoever comes with the same key meanwhile is answered so.
      async preParsing(request) {
        const { principal, idempotencyKey: key } = request
        uploads.set(request, await keys.hold(principal, { key, operation: 'uploadAttachment' }, newId()))
      },
      // However much too large it is, the way to send it is named.
      errorHandler(error) {
        const isTooLarge = error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
        throw isTooLarge ? problem('payload_too_large', { message: NOT_THIS_WAY }) : error
      },
      async onSend(request, reply) {
        const held = uploads.get(request)
        if (!held || reply.statusCode < 400) return
        await keys.free(held).catch((error) => {
          request.log.warn({ err: error }, 'an idempotency key stays pending until its time is over')
        })
      },
      async onResponse(request) {
        const held = uploads.get(request)
        if (held) keys.letGo(held)
      },
    },
    async (request, reply) => {
      const { principal, idempotencyKey: key, body: input } = request
      const { resourceId: id } = uploads.get(request) as HeldKey
      const { body, replayed } = await uploadInJson(deps, principal, { key, id }, input, originOf(request))
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(201).send(body)
    },
  )

  app.get(
    '/v1/attachments/:attachmentId/download',
    {
      config: { operation: 'downloadAttachment' },
      schema: { params, response: { 200: LegacyDownload } },
      exposeHeadRoute: false,
    },
    async ({ principal, params: { attachmentId } }) =>
      downloadInJson(deps, principal, await findForJson(deps, principal, attachmentId)),
  )

  // The framework's own would read the file and encode it.
  app.head(
    '/v1/attachments/:attachmentId/download',
    { config: { operation: 'downloadAttachment' }, schema: { params } },
    async ({ principal, params: { attachmentId } }, reply) => {
      await findForJson(deps, principal, attachmentId)
      return reply.type('application/json; charset=utf-8').send()
    },
  )
}
