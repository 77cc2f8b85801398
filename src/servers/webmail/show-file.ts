// A file of a draft, or one that has just come: an image by what its octets are, anything else to be downloaded.
import type { MailboxUser } from '../../access/actor.ts'
import { knownImage } from '../../lib/known-image.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { openOwnFile } from '../../messages/own/open-own-file.ts'
import { dataFor } from '../sessions/data.ts'
import { FILE } from '../sessions/sent-file.ts'

export default dataFor<MailboxUser>()(
  {
    method: 'GET',
    path: '/data/attachments/:attachmentId/content',
    params: IdParams('attachmentId'),
    answer: FILE,
  },
  ({ database, store }: { database: Database; store: ObjectStore }) =>
    async ({ actor, params: { attachmentId } }) => {
      const { filename, mediaType, sizeBytes, open } = await openOwnFile(database, store, actor, attachmentId)
      const shown = (await knownImage(await open())) ?? { mediaType, bytes: await open() }
      return { filename, sizeBytes, ...shown }
    },
)
