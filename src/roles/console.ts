// The console role: what people of a tenant sign in to.
import type { Person } from '../access/actor.ts'
import { personOf } from '../people/person-of.ts'
import { CONSOLE_OPERATIONS } from '../servers/console/operations.ts'
import { serveData } from '../servers/sessions/data.ts'
import type { Parts } from './parts.ts'
import { type RunningSite, startSite } from './start-site.ts'

/** @throws what keeps it from listening */
export function startConsole(parts: Parts): Promise<RunningSite> {
  return startSite(parts, {
    name: 'console',
    addData: (app, deps) =>
      serveData<Person, (typeof CONSOLE_OPERATIONS)[number]>(app, CONSOLE_OPERATIONS, deps, {
        site: deps.site,
        actorOf: (session, origin, environment) => personOf(parts.database, session, origin, environment),
      }),
  })
}
