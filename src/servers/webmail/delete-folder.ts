// Deletes a batch of all that lies in a folder for good: of the trash, to empty it.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { deleteFolder } from '../../messages/filing/delete-folder.ts'
import { dataFor } from '../sessions/data.ts'
import { DeletedBatch, DeleteFolder, FolderPath } from './filing-schemas.ts'

export default dataFor<MailboxUser>()(
  {
    method: 'POST',
    path: '/data/folders/:folder/delete',
    params: FolderPath,
    body: DeleteFolder,
    answer: DeletedBatch,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { folder }, body }) =>
      deleteFolder(database, actor, { folder, ...body }),
)
