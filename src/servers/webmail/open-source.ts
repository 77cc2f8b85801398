// The beginning of a message as it was sent or received.

import type { MailboxUser } from '../../access/actor.ts'
import { beginningOf } from '../../lib/beginning-of.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { openOwnSource } from '../../messages/own/open-own-source.ts'
import { dataFor } from '../sessions/data.ts'
import { OpenSource } from './content-schemas.ts'

/** More is for a download. */
const MOST_SHOWN_BYTES = 256 * 1024

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/messages/:messageId/source', params: IdParams('messageId'), answer: OpenSource },
  ({ database, store }: { database: Database; store: ObjectStore }) =>
    async ({ actor, params: { messageId } }) => {
      const { sizeBytes, open } = await openOwnSource(database, store, actor, messageId)
      const source = (await beginningOf(await open(), MOST_SHOWN_BYTES)).toString('utf8')
      return { source, isCut: sizeBytes > MOST_SHOWN_BYTES }
    },
)
