// Gives a small file inside JSON, to programs that cannot fetch a URL.
import type { FastifyReply } from 'fastify'
import { downloadInJson, findForJson } from '../../attachments/download-in-json.ts'
import { LegacyDownload } from '../../attachments/schemas.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
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
  ({ database, store }: { database: Db; store: ObjectStore }) =>
    async ({ method, actor, params: { attachmentId } }, reply) => {
      const attachment = await findForJson(database, actor, attachmentId)
      if (method === 'HEAD') return (reply as FastifyReply).type('application/json; charset=utf-8').send()
      return downloadInJson(store, actor, attachment)
    },
)
