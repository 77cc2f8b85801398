// The log of events as a file, newest first.
import { type EventPageQuery, pageEvents } from '../events/page-events.ts'
import { listExport } from './list-export.ts'

export const eventsExport = listExport<
  Omit<EventPageQuery, 'limit' | 'cursor'>,
  'id' | 'occurredAt' | 'type' | 'resourceType' | 'resourceId' | 'data'
>({
  name: 'events',
  operation: 'exportEvents',
  resourceType: 'event',
  columns: ['id', 'occurredAt', 'type', 'resourceType', 'resourceId', 'data'],
  read: pageEvents,
})
