// A file of a message.
import { openAttachment } from '../../attachments/open-attachment.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { Closed, Uuid } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { FILE } from '../sessions/sent-file.ts'
import { consoleData } from './console-data.ts'

export default consoleData(
  {
    method: 'GET',
    path: '/data/messages/:messageId/attachments/:attachmentId',
    params: Closed({ messageId: Uuid, attachmentId: Uuid }),
    answer: FILE,
  },
  ({ database, store }: { database: Database; store: ObjectStore }) =>
    async ({ actor, params: { messageId, attachmentId } }) => {
      const { open, ...file } = await openAttachment(database, store, actor, messageId, attachmentId)
      return { ...file, bytes: await open() }
    },
)
