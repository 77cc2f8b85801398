// `GET /changes`: what is new, as server-sent events, for the pages of whoever is signed in. They fetch what has changed
// again: a change says what it is about and never what it says. specification.md#changes
import type { MailboxUser, Person } from '../../access/actor.ts'
import { clientNetwork } from '../../lib/network.ts'
import { Type } from '../../lib/schema-types.ts'
import { boundElsewhere } from '../http/bound-connections.ts'
import { withoutPort } from '../http/client-address.ts'
import { originOf } from '../http/request-origin.ts'
import type { Server } from '../http/server.ts'
import { type ChangeStreamsDeps, createChangeStreams } from './changes-streams.ts'
import { type ActorOf, withEnvironment } from './data.ts'

const ChangesQuery = Type.Object({
  /** As the header Last-Event-ID, which a page that begins a stream anew cannot send. */
  lastEventId: Type.Optional(Type.String()),
})

export interface ChangesDeps extends ChangeStreamsDeps {
  actorOf: ActorOf<Person | MailboxUser>
}

/** Adds the route to a site's server, whose stop ends the streams. */
export function changesRoute(app: Server, { actorOf, ...deps }: ChangesDeps): void {
  const streams = createChangeStreams(deps)
  app.addHook('preClose', async () => streams.stop())
  app.route({
    method: 'GET',
    url: '/changes',
    // Asked by the page and not by its user.
    config: { auth: 'session', isNoUse: true },
    exposeHeadRoute: false,
    schema: { querystring: withEnvironment(ChangesQuery) },
    handler: async (request, reply) => {
      const { environment, lastEventId } = request.query as { environment?: string; lastEventId?: string }
      const actor = await actorOf(request.session, originOf(request), environment)
      boundElsewhere(reply.raw)
      await streams.open(
        {
          actor,
          sessionId: request.session.sessionId,
          address: clientNetwork(withoutPort(request.ip)),
          cursor: (request.headers['last-event-id'] as string | undefined) ?? lastEventId,
        },
        reply,
      )
      return reply
    },
  })
}
