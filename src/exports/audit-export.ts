// The audit log as a file, newest first.
import { type AuditFilters, pageAudit } from '../audit/page-audit.ts'
import { listExport } from './list-export.ts'

export const auditExport = listExport<
  AuditFilters,
  | ('id' | 'at' | 'by' | 'actorName' | 'personId' | 'mailboxUserId' | 'account' | 'appId' | 'appName' | 'keyId')
  | ('keyName' | 'keyStart' | 'operation' | 'resourceType' | 'resourceId' | 'resourceName' | 'details')
  | ('clientAddress' | 'userAgent' | 'requestId')
>({
  name: 'audit',
  operation: 'exportAudit',
  resourceType: 'audit',
  columns: [
    ...(['id', 'at', 'by', 'actorName', 'personId', 'mailboxUserId', 'account', 'appId', 'appName', 'keyId'] as const),
    ...(['keyName', 'keyStart', 'operation', 'resourceType', 'resourceId', 'resourceName', 'details'] as const),
    ...(['clientAddress', 'userAgent', 'requestId'] as const),
  ],
  async read(db, actor, page) {
    const { items, nextCursor } = await pageAudit(db, actor, page)
    const withText = items.map(({ details, ...record }) => ({
      ...record,
      details: details && JSON.stringify(details),
    }))
    return { items: withText, nextCursor }
  },
})
