// Messages as a CSV file.
import type { Static } from 'typebox'
import { messagesExport } from '../../exports/messages-export.ts'
import { exportData } from './export-data.ts'
import { MessageFilters } from './message-schemas.ts'

export default exportData(
  messagesExport,
  MessageFilters,
  ({ mailbox: mailboxId, app: appId, ...filters }: Static<typeof MessageFilters>) => ({
    ...filters,
    ...(mailboxId && { mailboxId }),
    ...(appId && { appId }),
  }),
)
