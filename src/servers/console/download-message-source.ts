// A message as it was sent or received, as a file.
import type { ObjectStore } from '../../lib/object-store.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { viewMessageSource } from '../../messages/view-content.ts'
import { FILE } from '../sessions/sent-file.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  { method: 'GET', path: '/data/messages/:messageId/raw', params: IdParams('messageId'), answer: FILE },
  ({ database, store }: { database: Database; store: ObjectStore }) =>
    async ({ actor, params: { messageId } }) => {
      const { sizeBytes, open } = await viewMessageSource(database, store, actor, messageId)
      return { filename: `${messageId}.eml`, mediaType: 'message/rfc822', sizeBytes, bytes: await open() }
    },
)
