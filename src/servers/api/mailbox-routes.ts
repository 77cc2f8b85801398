// The mailbox and domain operations over HTTP.

import type { Db } from '../../lib/sql.ts'
import { listDomains } from '../../mailboxes/list-domains.ts'
import { listMailboxes } from '../../mailboxes/list-mailboxes.ts'
import { DomainList, MailboxList } from '../../mailboxes/schemas.ts'
import type { Server } from '../http/server.ts'

export function mailboxRoutes(app: Server, deps: { database: Db }): void {
  app.get(
    '/v1/mailboxes',
    { config: { operation: 'listMailboxes' }, schema: { response: { 200: MailboxList } } },
    async (request) => ({ items: await listMailboxes(deps.database, request.principal) }),
  )

  app.get(
    '/v1/domains',
    { config: { operation: 'listDomains' }, schema: { response: { 200: DomainList } } },
    async (request) => ({ items: await listDomains(deps.database, request.principal) }),
  )
}
