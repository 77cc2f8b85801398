// Takes a message for sending. What it answers 202 to is durable.
import { QueuedMessage, SendMessageInput } from '../../messages/schemas.ts'
import { faultsOfSend, type Sender } from '../../messages/send-message.ts'
import { MAILBOX, MESSAGE } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

/**
 * What a send may weigh as JSON is whatever its fields' limits allow. With every UTF-16 unit in
 * JSON's longest spelling (`\u0041`, RFC 8259 7), and two of them to a character, text and html come to 36,000,000 octets
 * and all else to 250,000; the rest is for white space.
 */
const SEND_BODY_LIMIT_BYTES = 36 * 1024 * 1024

export default defineOperation(
  {
    name: 'sendMessage',
    method: 'POST',
    path: '/v1/messages',
    auth: 'key',
    scope: 'messages:send',
    idempotent: true,
    bodyLimitBytes: SEND_BODY_LIMIT_BYTES,
    body: SendMessageInput,
    faultsOf: faultsOfSend,
    answers: { 202: QueuedMessage },
    words: {
      tag: 'Messages',
      summary: 'Send a message',
      description:
        'Queues a message. The 202 means that it is durable: it will be submitted, or `message.failed` will say ' +
        'why not. Events report the delivery. The `id` is the same in the API, in events and in webhooks. ' +
        '`attachmentIds` names completed uploads; one that the html refers to as `cid:<its id>` is shown inline. ' +
        'The whole MIME message may have 25 MiB.',
      errors: ['not_found', 'mailbox_suspended', 'plan_capacity_exceeded', 'message_too_large'],
      examples: {
        request: {
          fromMailboxId: MAILBOX,
          to: ['you@example.net'],
          subject: 'Your order',
          text: 'Thank you for your order.',
        },
        answer: { id: MESSAGE, object: 'message', status: 'queued' },
      },
    },
  },
  ({ sender }: { sender: Sender }) =>
    async (request, reply) => {
      const { actor, idempotencyKey, body } = request
      const { id, replayed } = await sender.send(actor, idempotencyKey, body)
      request.messageId = id
      if (replayed) reply.header('idempotent-replayed', 'true')
      return reply.code(202).send({ id, object: 'message', status: 'queued' })
    },
)
