// The tenant's name, its plan with what is used of it, what is kept for how long, and what its Owners have set.
import { COUNTS_KEPT_DAYS } from '../../activity/counted-types.ts'
import { countRequests } from '../../apps/count-requests.ts'
import { MOST_APPS } from '../../apps/create-app.ts'
import { listApps } from '../../apps/list-apps.ts'
import { readTenant } from '../../apps/read-tenant.ts'
import { KEY_USE_DAYS } from '../../apps/record-key-use.ts'
import { AUDIT_KEPT_DAYS } from '../../audit/sweep-audit.ts'
import type { Database } from '../../lib/sql.ts'
import { readPlanUsage } from '../../messages/plan-usage.ts'
import { REFUSED_KEPT_DAYS } from '../../requests/write-refused-requests.ts'
import { BOUNCES_KEPT_DAYS } from '../../suppressions/sweep-bounces.ts'
import { DELIVERIES_KEPT_DAYS } from '../../webhooks/sweep-webhooks.ts'
import { consoleData } from './console-data.ts'
import { Settings } from './settings-schemas.ts'

const DAY_MS = 86_400_000

export default consoleData(
  { method: 'GET', path: '/data/settings', answer: Settings },
  ({ database, trashTtlMs }: { database: Database; trashTtlMs: number }) =>
    async ({ actor }) => {
      const [{ id, name, peopleSeeContent, plan }, { messages, storedBytes }, apps, requests] = await Promise.all([
        readTenant(database, actor),
        readPlanUsage(database, actor),
        listApps(database, actor),
        countRequests(database, actor),
      ])
      const today = [...requests.keys.map((key) => key.requests), requests.others]
      return {
        tenant: { id, name },
        peopleSeeContent,
        plan: {
          name: plan.name,
          messages,
          storedBytes,
          applications: { used: apps.length, limit: MOST_APPS },
          requestsPerDay: {
            used: today.reduce((sum, days) => sum + (days.at(-1) ?? 0), 0),
            limit: plan.requestsPerDay,
          },
          requestsPerMinute: plan.requestsPerMinute,
        },
        keptDays: {
          messages: plan.retentionDays,
          trash: trashTtlMs / DAY_MS,
          deliveries: DELIVERIES_KEPT_DAYS,
          requests: REFUSED_KEPT_DAYS,
          bounces: BOUNCES_KEPT_DAYS,
          keyUse: KEY_USE_DAYS,
          counts: COUNTS_KEPT_DAYS,
          audit: AUDIT_KEPT_DAYS,
        },
      }
    },
)
