// Refused requests as a CSV file.
import { requestsExport } from '../../exports/requests-export.ts'
import { exportData } from './export-data.ts'
import { RequestFilters, refusedBy } from './request-schemas.ts'

export default exportData(requestsExport, RequestFilters, refusedBy)
