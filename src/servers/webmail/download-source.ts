// A message as it was sent or received, as a file.
import type { MailboxUser } from '../../access/actor.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { openOwnSource } from '../../messages/own/open-own-source.ts'
import { dataFor } from '../sessions/data.ts'
import { FILE } from '../sessions/sent-file.ts'

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/messages/:messageId/raw', params: IdParams('messageId'), answer: FILE },
  ({ database, store }: { database: Database; store: ObjectStore }) =>
    async ({ actor, params: { messageId } }) => {
      const { sizeBytes, open } = await openOwnSource(database, store, actor, messageId)
      return { filename: `${messageId}.eml`, mediaType: 'message/rfc822', sizeBytes, bytes: await open() }
    },
)
