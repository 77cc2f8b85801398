// How things stand in an environment, and what needs somebody.
import { countEvents } from '../../activity/count-events.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { listDomains } from '../../mailboxes/list-domains.ts'
import { countByStatus } from '../../messages/count-by-status.ts'
import { readPlanUsage } from '../../messages/plan-usage.ts'
import { listEndpoints } from '../../webhooks/list-endpoints.ts'
import { consoleData } from './console-data.ts'
import { Overview } from './schemas.ts'

/** Of what waits. */
const DAYS = 7

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
      const [activity, { oldestQueuedAt, queued, more }, endpoints, domains, plan] = await Promise.all([
        countEvents(database, actor, query),
        countByStatus(database, actor, DAYS),
        listEndpoints(database, actor),
        listDomains(database, actor),
        readPlanUsage(database, actor),
      ])
      const isProduction = actor.environmentId === actor.tenantId
      return {
        activity: { ...activity, timeZone: query.timeZone },
        waiting: { queued, more, oldestQueuedAt },
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
