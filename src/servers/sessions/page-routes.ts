// The pages of a site: whoever is not signed in is led to the sign-in, whichever page was asked for.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { absent } from '../../access/problem.ts'
import type { FoundSession } from '../../users/sessions.ts'
import type { Server } from '../http/server.ts'
import { type SessionDoorDeps, sessionOf } from './session-door.ts'

export interface PageDeps extends Pick<SessionDoorDeps, 'database' | 'site'> {
  /** Answers with the page that shows all others, by script. */
  sendApp(reply: FastifyReply, session: FoundSession): Promise<FastifyReply>
}

/** `pages`: what refuses in HTML. */
export function pageRoutes(pages: Server, deps: PageDeps): void {
  const show = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const session = await sessionOf(request, deps)
    if (session?.whole) return deps.sendApp(reply, session)
    return reply.redirect(`/sign-in?to=${encodeURIComponent(request.url)}`, 303)
  }
  pages.get('/', { config: { auth: 'open' } }, show)
  pages.get('/*', { config: { auth: 'open' } }, show)
}

/** Below `/data` there is no page, whoever asks. */
export function dataAbsent(app: Server): void {
  app.all('/data/*', { config: { auth: 'session' } }, async () => {
    throw absent('operation')
  })
}
