// The attachment operations over HTTP.
import { actorOf } from '../http/actor.ts'
import { IdParams } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import {
  type AttachmentDeps,
  completeUpload,
  downloadInJson,
  downloadUrl,
  prepareUpload,
  uploadInJson,
} from './manage-attachments.ts'
import {
  AttachmentAnswer,
  AttachmentDownload,
  LegacyDownload,
  PrepareAttachmentInput,
  PreparedAttachment,
  UploadAttachmentInput,
} from './schemas.ts'

/** DECISIONS "Message": JSON bodies of a legacy upload. */
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
      const { body, replayed } = await prepareUpload(deps, principal, idempotencyKey, input, actorOf(request))
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
      return { attachment: await completeUpload(deps, request.principal, uploadId.toLowerCase(), actorOf(request)) }
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

  app.post(
    '/v1/attachments',
    {
      config: { operation: 'uploadAttachment', idempotent: true },
      bodyLimit: LEGACY_BODY_LIMIT_BYTES,
      schema: { body: UploadAttachmentInput, response: { 201: AttachmentAnswer } },
    },
    async (request, reply) => {
      const { principal, idempotencyKey, body: input } = request
      const { body, replayed } = await uploadInJson(deps, principal, idempotencyKey, input, actorOf(request))
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(201).send(body)
    },
  )

  app.get(
    '/v1/attachments/:attachmentId/download',
    {
      config: { operation: 'downloadAttachment' },
      schema: { params, response: { 200: LegacyDownload } },
    },
    async ({ principal, params: { attachmentId } }) => downloadInJson(deps, principal, attachmentId),
  )
}
