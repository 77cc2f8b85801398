// How things stand in an environment, and what needs somebody.
import type { Database } from '../../lib/sql.ts'
import { listDomains } from '../../mailboxes/list-domains.ts'
import { countByStatus } from '../../messages/count-by-status.ts'
import { readPlanUsage } from '../../messages/plan-usage.ts'
import { listEndpoints } from '../../webhooks/list-endpoints.ts'
import { consoleData } from './console-data.ts'
import { Overview } from './schemas.ts'

const DAYS = 7

export default consoleData(
  { method: 'GET', path: '/data/overview', answer: Overview },
  ({ database }: { database: Database }) =>
    async ({ actor }) => {
      const [{ since, oldestQueuedAt, ...messages }, endpoints, domains, plan] = await Promise.all([
        countByStatus(database, actor, DAYS),
        listEndpoints(database, actor),
        listDomains(database, actor),
        readPlanUsage(database, actor),
      ])
      const isProduction = actor.environmentId === actor.tenantId
      return {
        since,
        oldestQueuedAt,
        messages,
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
