// The beginning of a message as it was sent or received.
import { beginningOf } from '../../lib/beginning-of.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { viewMessageSource } from '../../messages/view-content.ts'
import { consoleData } from './console-data.ts'
import { ShownSource } from './message-schemas.ts'

/** More is for a download. */
export const MOST_SHOWN_BYTES = 256 * 1024

export default consoleData(
  { method: 'GET', path: '/data/messages/:messageId/source', params: IdParams('messageId'), answer: ShownSource },
  ({ database, store }: { database: Database; store: ObjectStore }) =>
    async ({ actor, params }) => {
      const { sizeBytes, open } = await viewMessageSource(database, store, actor, params.messageId)
      const text = (await beginningOf(await open(), MOST_SHOWN_BYTES)).toString('utf8')
      return { text, isCut: sizeBytes > MOST_SHOWN_BYTES, sizeBytes }
    },
)
