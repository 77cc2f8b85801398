// Webhook deliveries as a CSV file.
import type { Static } from 'typebox'
import { deliveriesExport } from '../../exports/deliveries-export.ts'
import { exportData } from './export-data.ts'
import { DeliveriesQuery } from './webhook-schemas.ts'

export default exportData(deliveriesExport, DeliveriesQuery, (filters: Static<typeof DeliveriesQuery>) => filters)
