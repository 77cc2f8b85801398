// Who did what in the tenant, newest first.
import { operationInWords } from '../../audit/operations.ts'
import { pageAudit } from '../../audit/page-audit.ts'
import type { Database } from '../../lib/sql.ts'
import { ActList, AuditQuery, auditBy } from './audit-schemas.ts'
import { consoleData } from './console-data.ts'

const ON_A_PAGE = 50

export default consoleData(
  { method: 'GET', path: '/data/audit', query: AuditQuery, answer: ActList },
  ({ database }: { database: Database }) =>
    async ({ actor, query }) => {
      const { items, nextCursor } = await pageAudit(database, actor, { ...auditBy(query), limit: ON_A_PAGE })
      const shown = items.map(({ resourceEnvironmentId: id, ...act }) => ({
        ...act,
        words: operationInWords(act.operation),
        resourceEnvironment: id === null || id === actor.tenantId ? id && 'production' : `sandbox:${id}`,
      }))
      return { items: shown, nextCursor }
    },
)
