// The server of a site that users sign in to, without routes: sessions at the door, nothing from other sites, and nothing
// for caches and strangers' frames. Routes added to it afterwards are covered by everything here.
import type { FastifyRequest } from 'fastify'
import { buildServer, type Server, type ServerDeps } from '../http/server.ts'
import { siteHeaders } from './page-policy.ts'
import { refuseCrossSite } from './same-site.ts'
import { createSecondLook, createSessionDoor, type SessionDoorDeps } from './session-door.ts'

export type SessionServerDeps = Omit<ServerDeps, 'doors' | 'guard'> & SessionDoorDeps

/** What a page without an origin loads says by itself whose it is. */
const FETCHED_BY = 'cross-origin-resource-policy'

export function buildSessionServer(deps: SessionServerDeps): Server {
  const { site } = deps
  const { [FETCHED_BY]: fetchedBy, ...headers } = siteHeaders(site)
  const app = buildServer({
    ...deps,
    doors: { session: createSessionDoor(deps) },
    guard: async (request: FastifyRequest) => refuseCrossSite(request, site),
  })
  app.addHook('preHandler', createSecondLook(deps))
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(headers)
    if (!reply.hasHeader(FETCHED_BY)) reply.header(FETCHED_BY, fetchedBy)
  })
  return app
}
