// How things stand in an environment, and what needs somebody.
import { countEvents } from '../../activity/count-events.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { listDomains } from '../../mailboxes/list-domains.ts'
import { countQueued } from '../../messages/count-queued.ts'
import { readPlanUsage } from '../../messages/plan-usage.ts'
import { listEndpoints } from '../../webhooks/list-endpoints.ts'
import { consoleData } from './console-data.ts'
import { Overview } from './schemas.ts'

export default consoleData(
  {
    method: 'GET',
    path: '/data/overview',
    query: Closed({
      /** Today by the hour, or thirty days by the day. */
      days: Type.Unsafe<1 | 30>({ type: 'integer', enum: [1, 30], default: 1 }),
      /** Of the IANA database. */
      timeZone: Type.String({ maxLength: 64, default: 'UTC' }),
    }),
    answer: Overview,
  },
  ({ database }: { database: Database }) =>
    async ({ actor, query }) => {
      const [activity, waiting, endpoints, domains, plan] = await Promise.all([
        countEvents(database, actor, query),
        countQueued(database, actor),
        listEndpoints(database, actor),
        listDomains(database, actor),
        readPlanUsage(database, actor),
      ])
      const isProduction = actor.environmentId === actor.tenantId
      return {
        activity: { ...activity, timeZone: query.timeZone },
        waiting,
        endpoints: endpoints
          .filter(({ consecutiveFailures, enabled }) => consecutiveFailures > 0 || !enabled)
          .map(({ id, url, consecutiveFailures, disabledAt, disabledReason }) => {
            return { id, url, consecutiveFailures, disabledAt, disabledReason }
          }),
        domains: domains
          .filter(({ health }) => health !== 'healthy')
          .map(({ id, domain, health }) => ({ id, domain, health })),
        plan: isProduction ? plan : null,
      }
    },
)
