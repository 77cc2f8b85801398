// Takes a small file inside JSON, whose idempotency key is held while the body is still coming.
import type { FastifyRequest } from 'fastify'
import { beginJsonUpload, type JsonUpload } from '../../attachments/begin-json-upload.ts'
import { AttachmentAnswer, UploadAttachmentInput } from '../../attachments/schemas.ts'
import { type JsonUploadDeps, NOT_THIS_WAY } from '../../attachments/upload-in-json.ts'
import type { KeyHolder } from '../../idempotency/hold-key.ts'
import { attachment, MAILBOX } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

/** specification.md#limits-of-a-request */
const LEGACY_BODY_LIMIT_BYTES = 5 * 1024 * 1024

export default defineOperation(
  {
    name: 'uploadAttachment',
    method: 'POST',
    path: '/v1/attachments',
    auth: 'key',
    scope: 'attachments:write',
    idempotent: true,
    bodyLimitBytes: LEGACY_BODY_LIMIT_BYTES,
    tooLarge: NOT_THIS_WAY,
    body: UploadAttachmentInput,
    answers: { 201: AttachmentAnswer },
    words: {
      tag: 'Attachments',
      summary: 'Upload a small file as JSON',
      description: 'For files of up to 3 MiB, as padded base64. Prefer the direct upload.',
      errors: ['attachment_too_large', 'not_found', 'mailbox_suspended', 'plan_capacity_exceeded'],
      examples: {
        request: { mailboxId: MAILBOX, filename: 'note.txt', mediaType: 'text/plain', contentBase64: 'aGVsbG8=' },
        answer: { attachment },
      },
    },
  },
  (deps: JsonUploadDeps & { heldKeys: KeyHolder }) => {
    const uploads = new WeakMap<FastifyRequest, JsonUpload>()
    return {
      // Its body may take its time: whoever comes with the same key meanwhile is refused.
      async preParsing(request) {
        uploads.set(request, await beginJsonUpload(deps, request.actor, request.idempotencyKey))
      },
      async handler(request, reply) {
        const upload = uploads.get(request) as JsonUpload
        const { body, replayed } = await upload.finish(request.body)
        if (replayed) reply.header('idempotent-replayed', 'true')
        return reply.code(201).send(body)
      },
      async onSend(request, reply) {
        if (reply.statusCode < 400) return
        await uploads
          .get(request)
          ?.abandon()
          .catch((error) => {
            request.log.warn({ err: error }, 'an idempotency key stays pending until its time is over')
          })
      },
      async onResponse(request) {
        uploads.get(request)?.end()
      },
    }
  },
)
