// Starts a listener that users sign in to; what it shows is what the console's and the webmail's roles say.
import { createRateCounts } from '../apps/rate-counts.ts'
import { createRateLimiter } from '../lib/rate-limiter/rate-limiter.ts'
import type { Database } from '../lib/sql.ts'
import { assetRoutes, shellOf } from '../servers/sessions/assets.ts'
import { type ActorOf, type DataDepsOf, type DataOperation, serveData } from '../servers/sessions/data.ts'
import { type OpenFrontEnd, openFrontEnd, sourcesOf } from '../servers/sessions/front-end.ts'
import { sendPage } from '../servers/sessions/page-policy.ts'
import { pageRoutes } from '../servers/sessions/page-routes.ts'
import { buildSessionServer } from '../servers/sessions/session-server.ts'
import { createSite, type Site, type SiteName } from '../servers/sessions/site.ts'
import { explainListenFault } from './listen-fault.ts'
import { localOrigin } from './local-origin.ts'
import type { Parts } from './parts.ts'

export interface RunningSite {
  /** As browsers know it. */
  url: string
  /** Where it listens. */
  listensAt: string
  /** @throws when it does not listen any more */
  check(): Promise<void>
  stop(): Promise<void>
}

/** What operations of both sites stand on. */
export interface SiteDeps {
  database: Database
  site: Site
  frontEnd: OpenFrontEnd
}

interface SiteOptions<Actor, O> {
  name: SiteName
  operations: readonly O[]
  actorOf: ActorOf<Actor>
}

const TITLES: Record<SiteName, string> = { console: 'Console', webmail: 'Webmail' }

/** @throws what keeps it from listening, or its front end from being bundled */
export async function startSite<Actor, O extends DataOperation<Actor>>(
  parts: Parts,
  { name, operations, actorOf }: SiteOptions<Actor, O>,
): Promise<RunningSite> {
  const { config, log, metrics, database } = parts
  const frontEnd = await openFrontEnd(sourcesOf(name), { watch: parts.watchFrontEnds ?? false })
  const place = config[name]
  let listensAt = ''
  const site = createSite(name, place, () => localOrigin(place.host, new URL(listensAt).port))
  if (!site.isTrustworthy) {
    log.warn({ site: name }, 'browsers reach it over plain http: whoever is in between reads and takes over sessions')
  }
  const limiter = createRateLimiter(createRateCounts(database), (error) => {
    log.warn({ err: error }, 'requests are counted by this process alone')
  })
  const app = buildSessionServer({
    log,
    database,
    site,
    limiter,
    trustedProxies: config.trustedProxies,
    ipAllow: config.ipAllow,
    onAnswer: metrics.onAnswer,
  })
  const deps: SiteDeps = { database, site, frontEnd }
  serveData(app, operations, deps as unknown as DataDepsOf<O>, { site, actorOf })
  assetRoutes(app, frontEnd)
  pageRoutes(app, { database, site, sendApp: (reply) => sendPage(reply, shellOf(frontEnd.current(), TITLES[name])) })
  const stop = async () => {
    await app.close()
    await Promise.all([limiter.stop(), frontEnd.stop()])
  }
  try {
    const { host, port } = place
    const prefix = name === 'console' ? 'MDK_CONSOLE' : 'MDK_WEBMAIL'
    listensAt = await app.listen({ host, port }).catch(explainListenFault(prefix, place))
    return {
      url: site.origin(),
      listensAt,
      async check() {
        if (!app.server.listening) throw new Error('it does not listen')
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
