// The message operations over HTTP.

import { notFoundField, problem } from '../../access/problem.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { isOwnMailbox, listMailboxMessages, listMessages } from '../../messages/list-messages.ts'
import { decodePageCursor, NEWEST } from '../../messages/page-cursor.ts'
import { readMessage } from '../../messages/read-message.ts'
import { readRawMessage } from '../../messages/read-raw.ts'
import {
  MessageDetailAnswer,
  MessagePage,
  MessagesQuery,
  QueuedMessage,
  SendMessageInput,
  UpdatedMessage,
  UpdateMessageInput,
} from '../../messages/schemas.ts'
import { refuseFaultyInput, type Sender } from '../../messages/send-message.ts'
import { updateMessage } from '../../messages/update-message.ts'
import { originOf } from '../http/request-origin.ts'
import type { Server } from '../http/server.ts'

/**
 * What a send may weigh as JSON is whatever its fields' limits allow. With every UTF-16 unit in
 * JSON's longest spelling (`\u0041`, RFC 8259 7), and two of them to a character, text and html come to 36,000,000 octets
 * and all else to 250,000; the rest is for white space.
 */
const SEND_BODY_LIMIT_BYTES = 36 * 1024 * 1024

export interface MessageDeps {
  database: Database
  store: ObjectStore
  sender: Sender
  /** Called after a commit that appended events. */
  onEvents(): void
}

export function messageRoutes(app: Server, deps: MessageDeps): void {
  app.post(
    '/v1/messages',
    {
      config: { operation: 'sendMessage', idempotent: true },
      bodyLimit: SEND_BODY_LIMIT_BYTES,
      schema: { body: SendMessageInput, response: { 202: QueuedMessage } },
      // Refused by the handler, with all that is wrong with it.
      attachValidation: true,
    },
    async (request, reply) => {
      const { principal, idempotencyKey, body, validationError } = request
      refuseFaultyInput(body, validationError)
      const { id, replayed } = await deps.sender.send(principal, idempotencyKey, body, originOf(request))
      request.messageId = id
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(202).send({ id, object: 'message', status: 'queued' })
    },
  )

  app.get(
    '/v1/messages',
    {
      config: { operation: 'listMessages' },
      schema: { querystring: MessagesQuery, response: { 200: MessagePage } },
    },
    async ({ principal, query: { limit, cursor, mailboxId } }) => {
      const behind = cursor === undefined ? NEWEST : decodePageCursor(cursor)
      if (!behind) throw problem('invalid_cursor')
      if (mailboxId === undefined) return listMessages(deps.database, principal, behind, limit)
      if (!(await isOwnMailbox(deps.database, principal, mailboxId))) throw notFoundField('mailboxId')
      return listMailboxMessages(deps.database, principal, mailboxId, behind, limit)
    },
  )

  app.get(
    '/v1/messages/:messageId',
    {
      config: { operation: 'getMessage' },
      schema: { params: IdParams('messageId'), response: { 200: MessageDetailAnswer } },
    },
    async (request) => {
      const message = await readMessage(deps.database, request.principal, request.params.messageId)
      if (!message) throw problem('not_found')
      request.messageId = message.id
      return { message }
    },
  )

  app.route({
    // HEAD by itself, which opens nothing: the framework's own would read it all to its end.
    method: ['GET', 'HEAD'],
    url: '/v1/messages/:messageId/raw',
    config: { operation: 'getRawMessage' },
    schema: { params: IdParams('messageId') },
    async handler(request, reply) {
      const { messageId } = request.params
      const raw = await readRawMessage(deps.database, deps.store, request.principal, messageId)
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
  })

  app.patch(
    '/v1/messages/:messageId',
    {
      config: { operation: 'updateMessage' },
      schema: { params: IdParams('messageId'), body: UpdateMessageInput, response: { 200: UpdatedMessage } },
    },
    async (request) => {
      const { messageId } = request.params
      const { mailboxId, ...change } = request.body
      const outcome = await deps.database.transaction((tx) =>
        updateMessage(tx, request.principal, messageId, mailboxId, change, originOf(request)),
      )
      if (outcome === 'absent') throw problem('not_found')
      if (outcome === 'not_in_mailbox') throw notFoundField('mailboxId')
      deps.onEvents()
      request.messageId = messageId
      return { id: messageId, updated: true as const }
    },
  )
}
