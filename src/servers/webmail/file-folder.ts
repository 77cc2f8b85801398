// Files or flags a batch of all that lies in a folder.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { fileFolder } from '../../messages/filing/file-folder.ts'
import { dataFor } from '../sessions/data.ts'
import { FiledBatch, FileFolder, FolderPath } from './filing-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'POST', path: '/data/folders/:folder/actions', params: FolderPath, body: FileFolder, answer: FiledBatch },
  ({ database }: { database: Database }) =>
    ({ actor, params: { folder }, body: { action, ...asked } }) =>
      fileFolder(database, actor, action, { folder, ...asked }),
)
