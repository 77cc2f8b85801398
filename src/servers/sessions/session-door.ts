// Lets in who is signed in: whose session the cookie is, and whether it asks too often.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../access/problem.ts'
import type { RateLimiter } from '../../lib/rate-limiter/rate-limiter.ts'
import type { Database } from '../../lib/sql.ts'
import { type FoundSession, findSession, renewSession, standingSessions } from '../../users/sessions.ts'
import type { Door } from '../http/server.ts'
import { keepSession, readSessionCookie, type Site } from './site.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked by a page and not by its user: a session that is asked nothing else ends as one that is not used. */
    isNoUse?: boolean
  }
  interface FastifyRequest {
    /** Set on every route that needs a session. */
    session: FoundSession
  }
}

/** specification.md#sessions */
const MOST_PER_MINUTE = 1_200
const MINUTE_MS = 60_000

export interface SessionDoorDeps {
  database: Database
  site: Site
  limiter: RateLimiter
}

export function createSessionDoor({ database, site, limiter }: SessionDoorDeps): Door {
  return async (request, reply) => {
    const found = await sessionOf(request, { database, site }, !request.routeOptions.config.isNoUse)
    if (!found?.whole) throw problem('not_signed_in')
    request.caller = { tenantId: found.inTenantId ?? found.tenantId, userId: found.userId }
    await admit(limiter, found.sessionId)
    request.session = await followRole(database, site, found, reply)
  }
}

/**
 * Looks once more when the body has come: whoever sends it slowly may have lost the session, the role or the tenant since
 * the door. What is read needs no body.
 */
export function createSecondLook({ database, site }: Pick<SessionDoorDeps, 'database' | 'site'>) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.routeOptions.config.auth !== 'session' || request.method === 'GET') return
    const [session] = await standingSessions(database, site.kind, [request.session.sessionId])
    // Another tenant than the one that the page shows is not acted on.
    if (!session?.whole || session.inTenantId !== request.session.inTenantId) throw problem('not_signed_in')
    request.session = session
  }
}

/** Whose session a request bears, be it one that still asks for a second factor; undefined when it bears none. */
export async function sessionOf(
  request: Pick<FastifyRequest, 'headers'>,
  { database, site }: Pick<SessionDoorDeps, 'database' | 'site'>,
  isUse = true,
): Promise<FoundSession | undefined> {
  const cookie = readSessionCookie(request, site)
  return cookie === undefined ? undefined : findSession(database, site.kind, cookie, { isUse })
}

/** @throws Problem rate_limited */
async function admit(limiter: RateLimiter, sessionId: string): Promise<void> {
  const { refused, resetSeconds } = await limiter.take({
    kind: 'session',
    subject: sessionId,
    most: MOST_PER_MINUTE,
    windowMs: MINUTE_MS,
  })
  if (refused) throw problem('rate_limited', { details: { limit: 'session' }, retryAfterSeconds: resetSeconds })
}

/** Another role than the one that the pair was made for makes a new pair. */
async function followRole(database: Database, site: Site, session: FoundSession, reply: FastifyReply) {
  const { role, roleOfPair, inTenantId } = session
  if (role === roleOfPair) return session
  const facts = { whole: true, proven: false, inTenantId: inTenantId ?? undefined }
  const renewed = await database.transaction((tx) => renewSession(tx, session, facts))
  // Another request of the browser was first: it asks again with the pair which that one has brought.
  if (!renewed) throw problem('not_signed_in')
  keepSession(reply, site, renewed)
  return { ...session, sessionId: renewed.id, roleOfPair: role }
}
