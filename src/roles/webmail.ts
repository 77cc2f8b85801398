// The webmail role: what mailbox users sign in to.
import type { MailboxUser } from '../access/actor.ts'
import { mailboxUserOf } from '../mailboxes/mailbox-user-of.ts'
import { serveData } from '../servers/sessions/data.ts'
import { WEBMAIL_OPERATIONS } from '../servers/webmail/operations.ts'
import type { Parts } from './parts.ts'
import { type RunningSite, startSite } from './start-site.ts'

/** @throws what keeps it from listening */
export function startWebmail(parts: Parts): Promise<RunningSite> {
  return startSite(parts, {
    name: 'webmail',
    addData: (app, deps) =>
      serveData<MailboxUser, (typeof WEBMAIL_OPERATIONS)[number]>(app, WEBMAIL_OPERATIONS, deps, {
        site: deps.site,
        // It has no sandbox: an environment that somebody names makes no difference.
        actorOf: (session, origin) => mailboxUserOf(parts.database, session, origin),
      }),
  })
}
