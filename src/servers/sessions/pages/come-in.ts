// How a browser is let in and led on: its new session, and the page after that.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../../lib/sql.ts'
import { signOut } from '../../../users/end-own-sessions.ts'
import type { FoundSession, NewSession } from '../../../users/sessions.ts'
import { originOf } from '../../http/request-origin.ts'
import { keepSession, type Site } from '../site.ts'

interface ComeInDeps {
  database: Database
  site: Site
}

/** Has the browser keep a new session. The one that it had before ends, whoever's it was: nobody would know of it. */
export async function comeIn(
  { database, site }: ComeInDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { session, former, to }: { session: NewSession; former?: FoundSession | undefined; to: string },
): Promise<FastifyReply> {
  if (former) await signOut(database, former, originOf(request))
  keepSession(reply, site, session)
  return goTo(reply, to)
}

/** After a form, so that reloading and going back send nothing again. */
export function goTo(reply: FastifyReply, to: string): FastifyReply {
  return reply.redirect(to, 303)
}

/**
 * Whether a page was reached by a link of another site, as in a mail read elsewhere: the browser then keeps a strict
 * cookie back, and has to ask once more, from here. `again` in the query: it has.
 */
export function isFromElsewhere({ headers, query }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'cross-site' && !('again' in (query as object))
}

/** Whether nobody looks at the answer yet: a browser that fetches ahead, or a program that asks what is there. */
export function isLookingAhead({ method, headers }: FastifyRequest): boolean {
  return method === 'HEAD' || /\bprefetch\b/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''))
}
