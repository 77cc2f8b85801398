// Refused requests as a file, newest first.
import { listRefusedRequests, type RefusedRequestFilters } from '../requests/list-refused-requests.ts'
import { listExport } from './list-export.ts'

export const requestsExport = listExport<
  RefusedRequestFilters,
  | ('requestId' | 'at' | 'method' | 'route' | 'path' | 'status' | 'code' | 'appId' | 'appName' | 'keyId' | 'keyName')
  | ('keyStart' | 'clientAddress' | 'userAgent' | 'durationMs')
>({
  name: 'requests',
  operation: 'exportRequests',
  resourceType: 'request',
  columns: [
    ...([
      'requestId',
      'at',
      'method',
      'route',
      'path',
      'status',
      'code',
      'appId',
      'appName',
      'keyId',
      'keyName',
    ] as const),
    ...(['keyStart', 'clientAddress', 'userAgent', 'durationMs'] as const),
  ],
  read: listRefusedRequests,
})
