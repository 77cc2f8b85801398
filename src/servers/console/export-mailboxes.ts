// Mailboxes as a CSV file.
import type { Static } from 'typebox'
import { mailboxesExport } from '../../exports/mailboxes-export.ts'
import { exportData } from './export-data.ts'
import { MailboxFilters } from './mailbox-schemas.ts'

export default exportData(mailboxesExport, MailboxFilters, (filters: Static<typeof MailboxFilters>) => filters)
