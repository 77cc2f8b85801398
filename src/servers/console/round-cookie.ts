// What a browser keeps while it is at a provider. Lax and not strict: it comes back from another site.
import { stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ROUND_SECONDS } from '../../people/single-sign-on/round.ts'
import { cookieNameOf, readCookie, type Site } from '../sessions/site.ts'

const NAME = 'sso'

export function readRoundCookie(request: Pick<FastifyRequest, 'headers'>, site: Site): string | undefined {
  return readCookie(request, cookieNameOf(NAME, site))
}

/** null makes the browser forget it. */
export function keepRound(reply: FastifyReply, site: Site, cookie: string | null): void {
  const set = stringifySetCookie({
    name: cookieNameOf(NAME, site),
    value: cookie ?? '',
    path: '/',
    httpOnly: true,
    secure: site.isTrustworthy,
    sameSite: 'lax',
    maxAge: cookie === null ? 0 : ROUND_SECONDS,
  })
  reply.header('set-cookie', set)
}
