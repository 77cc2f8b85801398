import type { FastifyRequest } from 'fastify'
import { type AttachmentDeps, NOT_THIS_WAY, uploadInJson } from '../../attachments/manage-attachments.ts'
import { AttachmentAnswer, UploadAttachmentInput } from '../../attachments/schemas.ts'
import type { HeldKey, KeyHolder } from '../../idempotency/hold-key.ts'
import { newId } from '../../lib/uuid.ts'
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
      description: 'For files of up to 3 MiB, as base64 with its padding and nothing else. Prefer the direct upload.',
      errors: ['attachment_too_large', 'not_found', 'mailbox_suspended', 'plan_capacity_exceeded'],
      examples: {
        request: { mailboxId: MAILBOX, filename: 'note.txt', mediaType: 'text/plain', contentBase64: 'aGVsbG8=' },
        answer: { attachment },
      },
    },
  },
  (deps: AttachmentDeps & { heldKeys: KeyHolder }) => {
    const { heldKeys } = deps
    /** The key of an upload that is under way, held for what the attachment will be called. */
    const uploads = new WeakMap<FastifyRequest, HeldKey>()
    return {
      // Its body may take its time: whoever comes with the same key meanwhile is refused.
      async preParsing(request) {
        const { actor, idempotencyKey: key } = request
        uploads.set(request, await heldKeys.hold(actor, { key, operation: 'uploadAttachment' }, newId()))
      },
      async onSend(request, reply) {
        const held = uploads.get(request)
        if (!held || reply.statusCode < 400) return
        await heldKeys.free(held).catch((error) => {
          request.log.warn({ err: error }, 'an idempotency key stays pending until its time is over')
        })
      },
      async onResponse(request) {
        const held = uploads.get(request)
        if (held) heldKeys.letGo(held)
      },
      async handler(request, reply) {
        const { actor, idempotencyKey: key, body: input } = request
        const { resourceId: id } = uploads.get(request) as HeldKey
        const { body, replayed } = await uploadInJson(deps, actor, { key, id }, input)
        if (replayed) reply.header('idempotent-replayed', 'true')
        return reply.code(201).send(body)
      },
    }
  },
)
