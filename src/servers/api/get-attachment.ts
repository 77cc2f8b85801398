// Describes one attachment.
import { readAttachment } from '../../attachments/read-attachment.ts'
import { AttachmentAnswer } from '../../attachments/schemas.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { attachment } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'getAttachment',
    method: 'GET',
    path: '/v1/attachments/:attachmentId',
    auth: 'key',
    scope: 'attachments:read',
    params: IdParams('attachmentId'),
    answers: { 200: AttachmentAnswer },
    words: {
      tag: 'Attachments',
      summary: 'Get an attachment',
      description:
        'Its name, type, size and digest, and the first message that has it. The bytes are behind the download URL.',
      extension: true,
      examples: { answer: { attachment } },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor, params: { attachmentId } }) => ({
      attachment: await readAttachment(database, actor, attachmentId),
    }),
)
