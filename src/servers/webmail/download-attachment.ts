// A file of a message.
import type { MailboxUser } from '../../access/actor.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { Closed, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { openOwnAttachment } from '../../messages/own/open-own-attachment.ts'
import { dataFor } from '../sessions/data.ts'
import { FILE } from '../sessions/sent-file.ts'

export default dataFor<MailboxUser>()(
  {
    method: 'GET',
    path: '/data/messages/:messageId/attachments/:attachmentId',
    params: Closed({ messageId: Uuid, attachmentId: Uuid }),
    answer: FILE,
  },
  ({ database, store }: { database: Database; store: ObjectStore }) =>
    async ({ actor, params: { messageId, attachmentId } }) => {
      const { open, ...file } = await openOwnAttachment(database, store, actor, messageId, attachmentId)
      return { ...file, bytes: await open() }
    },
)
