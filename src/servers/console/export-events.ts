// The log of events as a CSV file.
import type { Static } from 'typebox'
import { eventsExport } from '../../exports/events-export.ts'
import { exportData } from './export-data.ts'
import { EventFilters } from './schemas.ts'

export default exportData(eventsExport, EventFilters, (filters: Static<typeof EventFilters>) => filters)
