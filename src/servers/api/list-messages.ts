// Gives messages page by page, newest first.
import type { Db } from '../../lib/sql.ts'
import { pageMessages } from '../../messages/page-messages.ts'
import { MessagePage, MessagesQuery } from '../../messages/schemas.ts'
import { summary } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'listMessages',
    method: 'GET',
    path: '/v1/messages',
    auth: 'key',
    scope: 'messages:read',
    query: MessagesQuery,
    answers: { 200: MessagePage },
    words: {
      tag: 'Messages',
      summary: 'List messages',
      description:
        'Messages of all mailboxes or of one, newest first. Filters may be combined: a message must pass all of them. ' +
        'Pass `nextCursor` back unchanged, with the same filters, until it is null: each message comes once, whatever ' +
        'is written meanwhile. A page may be shorter than `limit`, or empty where few messages pass: only null ends ' +
        'the list. A plain timestamp as cursor means strictly older than it.',
      errors: ['invalid_cursor', 'not_found'],
      examples: { answer: { items: [summary], nextCursor: '2026-01-05T10:00:00.0000000Z' } },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor, query }) =>
      pageMessages(database, actor, query),
)
