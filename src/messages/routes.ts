// The message operations over HTTP.
import { problem } from '../http/problem.ts'
import { IdParams } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Db } from '../lib/sql.ts'
import { readMessage } from './read-message.ts'
import { MessageDetailAnswer, QueuedMessage, SendMessageInput } from './schemas.ts'
import type { Sender } from './send-message.ts'

/** DECISIONS "Message": what a send may weigh as JSON. */
const SEND_BODY_LIMIT_BYTES = 20 * 1024 * 1024
/** As much of it as helps to recognise a program. */
const USER_AGENT_CHARACTERS = 512

export function messageRoutes(app: Server, deps: { db: Db; sender: Sender }): void {
  app.post(
    '/v1/messages',
    {
      config: { operation: 'sendMessage', scope: 'messages:send', idempotent: true },
      bodyLimit: SEND_BODY_LIMIT_BYTES,
      schema: { body: SendMessageInput, response: { 202: QueuedMessage } },
    },
    async (request, reply) => {
      const { id, replayed } = await deps.sender.send(request.principal, request.idempotencyKey, request.body, {
        requestId: request.id,
        clientAddress: request.ip,
        userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_CHARACTERS) ?? null,
      })
      request.messageId = id
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(202).send({ id, object: 'message', status: 'queued' })
    },
  )

  app.get(
    '/v1/messages/:messageId',
    {
      config: { operation: 'getMessage', scope: 'messages:read' },
      schema: { params: IdParams('messageId'), response: { 200: MessageDetailAnswer } },
    },
    async (request) => {
      const message = await readMessage(deps.db, request.principal, request.params.messageId)
      if (!message) throw problem('not_found')
      request.messageId = message.id
      return { message }
    },
  )
}
