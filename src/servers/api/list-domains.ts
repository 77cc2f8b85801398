// Shows the domains of the tenant and what their last check found.
import type { Db } from '../../lib/sql.ts'
import { listDomains } from '../../mailboxes/list-domains.ts'
import { DomainList } from '../../mailboxes/schemas.ts'
import { MAILBOX } from './contract/examples.ts'
import { defineOperation } from './operation.ts'

export default defineOperation(
  {
    name: 'listDomains',
    method: 'GET',
    path: '/v1/domains',
    auth: 'key',
    scope: 'mailboxes:read',
    answers: { 200: DomainList },
    words: {
      tag: 'Mailboxes',
      summary: 'List domains',
      description:
        'Every domain of the organization with its health: `pending` (not checked yet), `healthy` (MX, SPF, DKIM and DMARC ' +
        'are right), `degraded` (some are missing or wrong) or `failing` (the verification record is gone, or neither ' +
        'SPF nor DKIM holds).',
      examples: {
        answer: {
          items: [{ id: MAILBOX, domain: 'example.com', verified: true, health: 'healthy', mailboxCount: 3 }],
        },
      },
    },
  },
  ({ database }: { database: Db }) =>
    async ({ actor }) => ({ items: await listDomains(database, actor) }),
)
