import type { FastifyReply } from 'fastify'
import { type AttachmentDeps, downloadInJson, findForJson } from '../../attachments/manage-attachments.ts'
import { LegacyDownload } from '../../attachments/schemas.ts'
import { IdParams } from '../../lib/schemas.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'downloadAttachment',
    method: 'GET',
    path: '/v1/attachments/:attachmentId/download',
    auth: 'key',
    scope: 'attachments:read',
    answersHead: true,
    params: IdParams('attachmentId'),
    answers: { 200: LegacyDownload },
    words: {
      tag: 'Attachments',
      summary: 'Download a small file as JSON',
      description: 'For files of up to 3 MiB. Prefer the download URL.',
      errors: ['attachment_too_large'],
      examples: { answer: { filename: 'note.txt', mediaType: 'text/plain', contentBase64: 'aGVsbG8=' } },
    },
  },
  (deps: AttachmentDeps) =>
    async ({ method, actor, params: { attachmentId } }, reply) => {
      const attachment = await findForJson(deps, actor, attachmentId)
      if (method === 'HEAD') return (reply as FastifyReply).type('application/json; charset=utf-8').send()
      return downloadInJson(deps, actor, attachment)
    },
)
