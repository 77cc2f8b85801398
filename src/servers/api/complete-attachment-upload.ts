// Ends a direct upload: what was put becomes an attachment if it is what was announced.
import { completeUpload } from '../../attachments/complete-upload.ts'
import type { FinishDeps } from '../../attachments/finish-upload.ts'
import { AttachmentAnswer } from '../../attachments/schemas.ts'
import { IdParams } from '../../lib/schemas.ts'
import { attachment } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'completeAttachmentUpload',
    method: 'POST',
    path: '/v1/attachments/uploads/:uploadId/complete',
    auth: 'key',
    scope: 'attachments:write',
    params: IdParams('uploadId'),
    answers: { 200: AttachmentAnswer },
    words: {
      tag: 'Attachments',
      summary: 'Complete an upload',
      description:
        'Verifies size, media type and SHA-256 of the bytes, and makes the attachment. Repeating it gives the ' +
        'same attachment. After a 422, put the right bytes and complete again.',
      errors: ['upload_expired', 'mailbox_suspended', 'upload_mismatch', 'upload_missing', 'plan_capacity_exceeded'],
      examples: { answer: { attachment } },
    },
  },
  (deps: FinishDeps) => async (request) => ({
    attachment: await completeUpload(deps, request.actor, request.params.uploadId),
  }),
)
