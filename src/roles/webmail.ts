// The webmail role: what mailbox users sign in to.
import type { MailboxUser } from '../access/actor.ts'
import { mailboxUserOf } from '../mailboxes/mailbox-user-of.ts'
import { type ActorOf, serveData } from '../servers/sessions/data.ts'
import { WEBMAIL_OPERATIONS } from '../servers/webmail/operations.ts'
import { type RunningSite, type SiteParts, startSite } from './start-site.ts'

/** @throws what keeps it from listening */
export function startWebmail(parts: SiteParts): Promise<RunningSite> {
  // It has no sandbox: an environment that somebody names makes no difference.
  const actorOf: ActorOf<MailboxUser> = (session, origin) => mailboxUserOf(parts.database, session, origin)
  return startSite(parts, {
    name: 'webmail',
    actorOf,
    addData: (app, deps) =>
      serveData<MailboxUser, (typeof WEBMAIL_OPERATIONS)[number]>(app, WEBMAIL_OPERATIONS, deps, {
        site: deps.site,
        actorOf,
      }),
  })
}
