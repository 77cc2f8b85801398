// A listener to which users sign in: who they are, under which origin browsers know it, and in which cookie a session is.
// Sessions of the two sites never meet: each reads its own cookie and nothing else.
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isLoopbackHost } from '../../lib/network.ts'
import { longestSeconds, type NewSession } from '../../users/sessions.ts'
import type { UserKind } from '../../users/user.ts'

export type SiteName = 'console' | 'webmail'

export interface Site {
  readonly name: SiteName
  /** Whose sessions are good here. */
  readonly kind: UserKind
  /** As browsers have it, `https://console.example.com`; of an unconfigured one known once it listens. */
  origin(): string
  /** Whether the origin is configured, so that nothing else is ours. */
  readonly isConfigured: boolean
  /** Whether browsers treat it as safe from those in between: https, or this machine alone. */
  readonly isTrustworthy: boolean
}

const KINDS: Record<SiteName, UserKind> = { console: 'person', webmail: 'mailbox_user' }
/** The console is entered by its own pages; a link in a mail leads into the webmail signed in. */
const SAME_SITE = { console: 'strict', webmail: 'lax' } as const

/** `publicUrl`: as it is configured, if it is; `listening`: the origin that it listens at, once it does. */
export function createSite(
  name: SiteName,
  { publicUrl, scheme = 'http', host }: { publicUrl: string | undefined; scheme?: 'http' | 'https'; host: string },
  listening: () => string,
): Site {
  const origin = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  const { protocol, hostname } = new URL(origin ?? `${scheme}://${host.includes(':') ? `[${host}]` : host}`)
  return {
    name,
    kind: KINDS[name],
    origin: () => origin ?? listening(),
    isConfigured: origin !== undefined,
    isTrustworthy: protocol === 'https:' || isLoopbackHost(hostname),
  }
}

/** With the prefix that keeps other hosts and plain http from setting it (RFC 6265bis 4.1.3.2), where browsers take it. */
export function cookieNameOf(name: string, { isTrustworthy }: Pick<Site, 'isTrustworthy'>): string {
  return isTrustworthy ? `__Host-mdk_${name}` : `mdk_${name}`
}

/** What the session cookie says, if there is one. */
export function readSessionCookie(request: Pick<FastifyRequest, 'headers'>, site: Site): string | undefined {
  return readCookie(request, cookieNameOf(site.name, site))
}

/** One that comes twice is none: another host or path has put one there. */
export function readCookie({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  if (headers.cookie === undefined) return undefined
  const isTwice = headers.cookie.split(';').filter((pair) => pair.split('=', 1)[0]?.trim() === name).length > 1
  return isTwice ? undefined : parseCookie(headers.cookie)[name]
}

/** Has the browser keep a session's pair; null makes it forget the one it has. */
export function keepSession(reply: FastifyReply, site: Site, session: NewSession | null): void {
  const cookie = stringifySetCookie({
    name: cookieNameOf(site.name, site),
    value: session?.cookie ?? '',
    path: '/',
    httpOnly: true,
    secure: site.isTrustworthy,
    sameSite: SAME_SITE[site.name],
    maxAge: session ? longestSeconds(site.kind) : 0,
  })
  reply.header('set-cookie', cookie)
}

/** By which somebody comes in who was given this token. */
export function enterAddress(site: Pick<Site, 'origin'>, token: string): string {
  return `${site.origin()}/enter/${token}`
}
