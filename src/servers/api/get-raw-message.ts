// Streams the bytes of a message as it was sent or received.
import { problem } from '../../access/problem.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { readRawMessage } from '../../messages/read-raw.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'getRawMessage',
    method: 'GET',
    path: '/v1/messages/:messageId/raw',
    auth: 'key',
    scope: 'messages:read',
    answersHead: true,
    params: IdParams('messageId'),
    answers: { 200: { mediaType: 'message/rfc822', description: 'The message.' } },
    words: {
      tag: 'Messages',
      summary: 'Get a message as it was sent or received',
      description: 'The octets of the MIME message. 404 while a queued message has not been built yet.',
      extension: true,
    },
  },
  ({ database, store }: { database: Db; store: ObjectStore }) =>
    async (request, reply) => {
      const { messageId } = request.params
      const raw = await readRawMessage(database, store, request.actor, messageId)
      if (!raw) throw problem('not_found')
      request.messageId = messageId
      const bytes = request.method === 'HEAD' ? undefined : await raw.open()
      // Whatever a browser made of it, it must not run with our origin.
      reply.headers({
        'content-type': 'message/rfc822',
        'content-length': raw.sizeBytes,
        'content-disposition': `attachment; filename="${messageId}.eml"`,
        'content-security-policy': "sandbox; default-src 'none'",
      })
      return reply.send(bytes)
    },
)
