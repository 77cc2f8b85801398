// Begins a direct upload: says where the bytes of an announced file go.
import { type PrepareDeps, prepareUpload } from '../../attachments/prepare-upload.ts'
import { PrepareAttachmentInput, PreparedAttachment } from '../../attachments/schemas.ts'
import { AT, ATTACHMENT, MAILBOX, SHA256 } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'prepareAttachmentUpload',
    method: 'POST',
    path: '/v1/attachments/uploads',
    auth: 'key',
    scope: 'attachments:write',
    idempotent: true,
    body: PrepareAttachmentInput,
    answers: { 201: PreparedAttachment },
    words: {
      tag: 'Attachments',
      summary: 'Prepare an upload',
      description:
        'Announces a file. PUT its bytes to `upload.url` with `upload.headers` and without the API key within ten minutes, ' +
        'then complete the upload. A retry with the same key gives the same upload, or the attachment once it is completed.',
      errors: ['attachment_too_large', 'not_found', 'mailbox_suspended', 'plan_capacity_exceeded', 'upload_expired'],
      examples: {
        request: {
          mailboxId: MAILBOX,
          filename: 'invoice.pdf',
          mediaType: 'application/pdf',
          sizeBytes: 48213,
          sha256: SHA256,
        },
        answer: {
          uploadId: ATTACHMENT,
          attachment: null,
          upload: {
            url: 'https://mail.example.com/v1/blobs/AQAAAAE',
            method: 'PUT',
            headers: { 'content-type': 'application/pdf' },
            expiresAt: AT,
          },
        },
      },
    },
  },
  (deps: PrepareDeps) => async (request, reply) => {
    const { actor, idempotencyKey, body: input } = request
    const { body, replayed } = await prepareUpload(deps, actor, idempotencyKey, input)
    if (replayed) reply.header('idempotent-replayed', 'true')
    return reply.code(201).send(body)
  },
)
