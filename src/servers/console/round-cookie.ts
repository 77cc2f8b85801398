// What a browser keeps of single sign-on: the round while it is at a provider, and whose provider it was. Lax and not strict: it
// comes back from another site.
import { stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Uuid } from '../../lib/uuid.ts'
import { ROUND_SECONDS } from '../../people/single-sign-on/round.ts'
import { cookieNameOf, readCookie, type Site } from '../sessions/site.ts'

const ROUND = 'sso'
const TENANT = 'sso_tenant'
const YEAR_SECONDS = 365 * 86_400

export function readRoundCookie(request: Pick<FastifyRequest, 'headers'>, site: Site): string | undefined {
  return readCookie(request, cookieNameOf(ROUND, site))
}

/** null makes the browser forget it. */
export function keepRound(reply: FastifyReply, site: Site, cookie: string | null): void {
  keep(reply, site, ROUND, cookie ?? '', cookie === null ? 0 : ROUND_SECONDS)
}

/** The tenant whose single sign-on the browser last came in by: it is led there when it wants to come in again. */
export function readLastTenant(request: Pick<FastifyRequest, 'headers'>, site: Site): string | undefined {
  return readCookie(request, cookieNameOf(TENANT, site))
}

export function keepLastTenant(reply: FastifyReply, site: Site, tenantId: Uuid): void {
  keep(reply, site, TENANT, tenantId, YEAR_SECONDS)
}

function keep(reply: FastifyReply, site: Site, name: string, value: string, maxAge: number): void {
  const attributes = { path: '/', httpOnly: true, secure: site.isTrustworthy, sameSite: 'lax', maxAge } as const
  reply.header('set-cookie', stringifySetCookie({ name: cookieNameOf(name, site), value, ...attributes }))
}
