// All files of a message as one.
import type { MailboxUser } from '../../access/actor.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { zipOwnAttachments } from '../../messages/own/zip-own-attachments.ts'
import { dataFor } from '../sessions/data.ts'
import { FILE } from '../sessions/sent-file.ts'

export default dataFor<MailboxUser>()(
  {
    method: 'GET',
    path: '/data/messages/:messageId/attachments.zip',
    params: IdParams('messageId'),
    answer: FILE,
    withoutHead: true,
  },
  ({ database, store }: { database: Database; store: ObjectStore }) =>
    async ({ actor, params: { messageId } }) => {
      const zip = await zipOwnAttachments(database, store, actor, messageId, new Date())
      return { filename: 'attachments.zip', mediaType: 'application/zip', ...zip }
    },
)
