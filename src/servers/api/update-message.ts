// Files and flags one mailbox's entry of a message.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { UpdatedMessage, UpdateMessageInput } from '../../messages/schemas.ts'
import { updateMessage } from '../../messages/update-message.ts'
import { MAILBOX, MESSAGE } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'updateMessage',
    method: 'PATCH',
    path: '/v1/messages/:messageId',
    auth: 'key',
    scope: 'messages:write',
    params: IdParams('messageId'),
    body: UpdateMessageInput,
    answers: { 200: UpdatedMessage },
    words: {
      tag: 'Messages',
      summary: 'File or flag a message',
      description:
        'Changes one mailbox’s entry of the message: whether it is read or starred, and its folder. Omitted ' +
        'fields stay as they are. Appends `message.updated`, even when nothing changes.',
      examples: {
        request: { mailboxId: MAILBOX, isRead: true, folder: 'archive' },
        answer: { id: MESSAGE, updated: true },
      },
    },
  },
  ({ database }: { database: Database }) =>
    async (request) => {
      const { messageId } = request.params
      const { mailboxId, ...change } = request.body
      await updateMessage(database, request.actor, messageId, mailboxId, change)
      request.messageId = messageId
      return { id: messageId, updated: true as const }
    },
)
