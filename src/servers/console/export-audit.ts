// The audit log as a CSV file.
import { auditExport } from '../../exports/audit-export.ts'
import { AuditQuery, auditBy } from './audit-schemas.ts'
import { exportData } from './export-data.ts'

export default exportData(auditExport, AuditQuery, auditBy)
