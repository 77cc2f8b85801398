// Starts a listener that users sign in to; what it shows is what the console's and the webmail's roles say.
import type { FastifyReply } from 'fastify'
import type { MailboxUser, Person } from '../access/actor.ts'
import { createRateCounts } from '../apps/rate-counts.ts'
import type { FeedFollower } from '../events/follow-feed.ts'
import { createRateLimiter, type RateLimiter } from '../lib/rate-limiter/rate-limiter.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import type { Server } from '../servers/http/server.ts'
import type { AccountDeps } from '../servers/sessions/account/own-account.ts'
import { assetRoutes, headOf, shellOf, type Theme } from '../servers/sessions/assets.ts'
import { changesRoute } from '../servers/sessions/changes.ts'
import { standingsOf } from '../servers/sessions/changes-standings.ts'
import type { ActorOf } from '../servers/sessions/data.ts'
import { type OpenFrontEnd, openFrontEnd, type SourcesName, sourcesOf } from '../servers/sessions/front-end.ts'
import { mailFrameRoutes, openMailFrame } from '../servers/sessions/mail-frame.ts'
import { sendPage, siteHeaders } from '../servers/sessions/page-policy.ts'
import { dataAbsent, pageRoutes } from '../servers/sessions/page-routes.ts'
import { type MorePages, signInPages } from '../servers/sessions/pages/pages.ts'
import { pdfFrameRoutes, pdfScripts } from '../servers/sessions/pdf-frame.ts'
import { buildSessionServer } from '../servers/sessions/session-server.ts'
import { createSite, type Site, type SiteName } from '../servers/sessions/site.ts'
import type { RelyingParty } from '../users/add-passkey.ts'
import { createChallenges } from '../users/passkey-challenge.ts'
import type { FoundSession } from '../users/sessions.ts'
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

export interface SiteParts extends Parts {
  /** Of the process: it reads the event feed once for all who follow it. */
  feed: FeedFollower
}

/** What the operations of both sites stand on. */
export interface SiteDeps extends AccountDeps {
  site: Site
  frontEnd: OpenFrontEnd
  /** Whether links can be mailed. */
  mailsLinks: boolean
  limiter: RateLimiter
}

interface SiteOptions {
  name: SiteName
  /** What browsers load of it; the sources of its name unless given. */
  frontEnd?: SourcesName | undefined
  /** Who is signed in, as an actor. */
  actorOf: ActorOf<Person | MailboxUser>
  /** Adds the site's data operations. */
  addData(app: Server, deps: SiteDeps): void
  /** Its pages show the HTML of mail; `images`: the paths below which it has images for the frame of that. */
  showsMail: { images: readonly string[] }
  /** The names of the trusted types' policies that its pages' scripts make; none, unless given. */
  trustedTypes?: string
  /** Its pages show PDF files. */
  showsPdf?: boolean
  /** What it looks like to whoever is signed in; as the device is, unless given. */
  themeOf?(session: FoundSession): Promise<Theme>
  /** Gives what adds pages of its own, which work without script. */
  morePages?(deps: SiteDeps): MorePages
}

const TITLES: Record<SiteName, string> = { console: 'Console', webmail: 'Webmail' }
/** Whom passkeys and authenticator apps show that they are for. */
const PARTIES: Record<SiteName, string> = { console: 'Mail console', webmail: 'Webmail' }

/** @throws what keeps it from listening, or its front end from being bundled */
export async function startSite(
  parts: SiteParts,
  {
    name,
    frontEnd: sources = name,
    actorOf,
    addData,
    showsMail,
    showsPdf = false,
    themeOf,
    morePages,
    ...more
  }: SiteOptions,
): Promise<RunningSite> {
  const { config, log, metrics, database } = parts
  const watch = parts.watchFrontEnds ?? false
  const frontEnd = await openFrontEnd(sourcesOf(sources), { watch })
  const mailFrame = await openMailFrame({ watch })
  const pdf = showsPdf ? pdfScripts({ watch }) : undefined
  const place = config[name]
  let listensAt = ''
  const site = createSite(name, place, () => localOrigin(place, new URL(listensAt).port))
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
    certificate: parts.certificate,
    onAnswer: metrics.onAnswer,
  })
  const party: RelyingParty = {
    name: PARTIES[name],
    get origin() {
      return site.origin()
    },
  }
  const deps: SiteDeps = {
    database,
    site,
    frontEnd,
    party,
    hasher: parts.hashTurns.passwords,
    box: createSecretBox(parts.secretKeys),
    mailsLinks: config.noticesFrom !== undefined,
    limiter,
    challenges: createChallenges(parts.secretKeys),
  }
  addData(app, deps)
  changesRoute(app, {
    feed: parts.feed,
    actorOf,
    lookAt: (sessionIds) => standingsOf(database, site.kind, sessionIds),
    headers: siteHeaders(site),
    onError: (error) => log.warn({ err: error }, 'the sessions of streams of changes cannot be looked at'),
  })
  assetRoutes(app, frontEnd, mailFrame, pdf)
  mailFrameRoutes(app, mailFrame, site, showsMail.images)
  if (pdf) pdfFrameRoutes(app, pdf, site)
  dataAbsent(app)
  signInPages(app, { ...deps, head: () => headOf(frontEnd.current()) }, (pages, send) => {
    morePages?.(deps)(pages, send)
    const sendApp = async (reply: FastifyReply, session: FoundSession) => {
      const theme = await themeOf?.(session)
      return sendPage(reply, shellOf(frontEnd.current(), TITLES[name], theme), { showsMail: true, ...more })
    }
    pageRoutes(pages, { database, site, sendApp })
  })
  const stop = async () => {
    await app.close()
    await Promise.all([limiter.stop(), frontEnd.stop(), mailFrame.stop(), pdf?.stop()])
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
