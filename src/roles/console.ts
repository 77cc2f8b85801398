// The console role: what people of a tenant sign in to.
import type { Person } from '../access/actor.ts'
import { createPublicFetch } from '../lib/public-fetch.ts'
import { createDnsResolver } from '../lib/resolver.ts'
import { personOf } from '../people/person-of.ts'
import { createProviders, PROVIDER_TIMEOUT_MS } from '../people/single-sign-on/provider.ts'
import { createExports } from '../servers/console/exports.ts'
import { CONSOLE_OPERATIONS } from '../servers/console/operations.ts'
import { singleSignOnPages } from '../servers/console/single-sign-on-pages.ts'
import type { Server } from '../servers/http/server.ts'
import { standingsOf } from '../servers/sessions/changes-standings.ts'
import { type ActorOf, type DataDoors, serveData } from '../servers/sessions/data.ts'
import type { SourcesName } from '../servers/sessions/front-end.ts'
import { createSigningKeyring } from '../webhooks/signing-keys.ts'
import { apiUrlOf, siteOrigin } from './site-urls.ts'
import { type RunningSite, type SiteDeps, type SiteParts, startSite } from './start-site.ts'

/** What a command adds to the console that it runs: pages, and the data that they show. */
export interface ConsoleAddition {
  /** The console's own front end, and those pages. */
  frontEnd: SourcesName
  addData(app: Server, deps: SiteDeps, doors: DataDoors<Person>): void
}

interface ConsoleOptions {
  /** Where the API does that this process runs. */
  apiListensAt?: string | undefined
  addition?: ConsoleAddition | undefined
}

/** @throws what keeps it from listening */
export async function startConsole(
  parts: SiteParts,
  { apiListensAt, addition }: ConsoleOptions = {},
): Promise<RunningSite> {
  const { config, database } = parts
  const apiUrl = apiUrlOf(config.http, apiListensAt)
  const actorOf: ActorOf<Person> = (session, origin, environment) => personOf(database, session, origin, environment)
  const providerFetch = createPublicFetch({
    allow: config.singleSignOn.allow,
    dnsServers: config.dnsServers ?? [],
    timeoutMs: PROVIDER_TIMEOUT_MS,
  })
  const providers = createProviders(providerFetch)
  const publicFetch = createPublicFetch({
    allow: config.webhooks.allow,
    dnsServers: config.dnsServers ?? [],
    timeoutMs: config.webhooks.timeoutMs,
  })
  const resolver = createDnsResolver(config.dnsServers)
  const exports = createExports({
    database,
    lookAt: async (sessionId) => (await standingsOf(database, 'person', [sessionId])).get(sessionId),
  })
  const site = await startSite(parts, {
    name: 'console',
    actorOf,
    // Images within a message it hands to the frame itself, and fetches no others.
    showsMail: { images: [] },
    frontEnd: addition?.frontEnd,
    addData: (app, deps) => {
      const doors = { site: deps.site, actorOf }
      app.addHook('preClose', async () => exports.stop())
      serveData<Person, (typeof CONSOLE_OPERATIONS)[number]>(
        app,
        CONSOLE_OPERATIONS,
        {
          ...deps,
          providers,
          publicFetch,
          resolver,
          webhookAllow: config.webhooks.allow,
          keyring: createSigningKeyring(deps.box),
          // With those of passwords: whoever makes keys by the hundred holds up nobody's.
          keyHasher: parts.hashTurns.passwords,
          apiUrl,
          // Of mailbox users: it may run in another process.
          webmail: { origin: () => siteOrigin(config.webmail) },
          store: parts.store,
          trashTtlMs: config.trashTtlMs,
          exports,
        },
        doors,
      )
      addition?.addData(app, deps, doors)
    },
    morePages: (deps) => (pages, send) => singleSignOnPages(pages, { ...deps, providers }, send),
  })
  return {
    ...site,
    async stop() {
      await site.stop()
      resolver.close()
      await Promise.all([providerFetch.close(), publicFetch.close()])
    },
  }
}
