// The console role: what people of a tenant sign in to.
import type { Person } from '../access/actor.ts'
import { personOf } from '../people/person-of.ts'
import { CONSOLE_OPERATIONS } from '../servers/console/operations.ts'
import { type ActorOf, serveData } from '../servers/sessions/data.ts'
import { type RunningSite, type SiteParts, startSite } from './start-site.ts'

/** @throws what keeps it from listening */
export function startConsole(parts: SiteParts): Promise<RunningSite> {
  const actorOf: ActorOf<Person> = (session, origin, environment) =>
    personOf(parts.database, session, origin, environment)
  return startSite(parts, {
    name: 'console',
    actorOf,
    addData: (app, deps) =>
      serveData<Person, (typeof CONSOLE_OPERATIONS)[number]>(app, CONSOLE_OPERATIONS, deps, {
        site: deps.site,
        actorOf,
      }),
  })
}
