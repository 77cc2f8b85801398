// The webmail role: what mailbox users sign in to.
import type { MailboxUser } from '../access/actor.ts'
import { createOwnPuts } from '../attachments/local-transfers.ts'
import { mailboxUserOf } from '../mailboxes/mailbox-user-of.ts'
import { themeOfUser } from '../mailboxes/theme-of-user.ts'
import { createImageFetch } from '../messages/own/fetch-remote-image.ts'
import { createImageLinks, IMAGE_PLACES } from '../messages/own/image-links.ts'
import { type ActorOf, serveData } from '../servers/sessions/data.ts'
import { imageRoutes } from '../servers/webmail/image-routes.ts'
import { WEBMAIL_OPERATIONS } from '../servers/webmail/operations.ts'
import { type RunningSite, type SiteParts, startSite } from './start-site.ts'

/** @throws what keeps it from listening */
export async function startWebmail(parts: SiteParts): Promise<RunningSite> {
  // It has no sandbox: an environment that somebody names makes no difference.
  const actorOf: ActorOf<MailboxUser> = (session, origin) => mailboxUserOf(parts.database, session, origin)
  const { allow } = parts.config.images
  const imageFetch = createImageFetch({ allow, dnsServers: parts.config.dnsServers ?? [] })
  const imageLinks = createImageLinks(parts.secretKeys)
  const site = await startSite(parts, {
    name: 'webmail',
    actorOf,
    themeOf: (session) => themeOfUser(parts.database, session),
    showsMail: { images: Object.values(IMAGE_PLACES) },
    showsPdf: true,
    // Where a message is written.
    trustedTypes: 'dompurify',
    addData: (app, deps) => {
      const { idempotencyTtlMs, uploadTtlMs } = parts.config
      const all = {
        ...deps,
        store: parts.store,
        imageLinks,
        imageAllow: allow,
        imageFetch,
        ownPuts: createOwnPuts(parts.store),
        idempotencyTtlSeconds: idempotencyTtlMs / 1000,
        uploadTtlSeconds: uploadTtlMs / 1000,
      }
      serveData<MailboxUser, (typeof WEBMAIL_OPERATIONS)[number]>(app, WEBMAIL_OPERATIONS, all, {
        site: deps.site,
        actorOf,
      })
      imageRoutes(app, all)
    },
  })
  return {
    ...site,
    async stop() {
      await site.stop()
      await imageFetch.close()
    },
  }
}
