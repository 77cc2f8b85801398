// Shows the mailboxes of the tenant.
import type { Db } from '../../lib/sql.ts'
import { listMailboxes } from '../../mailboxes/list-mailboxes.ts'
import { MailboxList } from '../../mailboxes/schemas.ts'
import { MAILBOX } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'listMailboxes',
    method: 'GET',
    path: '/v1/mailboxes',
    auth: 'key',
    scope: 'mailboxes:read',
    answers: { 200: MailboxList },
    words: {
      tag: 'Mailboxes',
      summary: 'List mailboxes',
      description: 'Every mailbox of the organization, by address. They show in production and in every sandbox.',
      examples: { answer: { items: [{ id: MAILBOX, address: 'sales@example.com', displayName: 'Sales' }] } },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor }) => ({ items: await listMailboxes(database, actor) }),
)
