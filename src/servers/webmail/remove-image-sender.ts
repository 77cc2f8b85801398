// Users have the images of a sender held back again. The address is in the query: what stands in a path is an id.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { removeImageSender } from '../../mailboxes/image-senders.ts'
import { dataFor } from '../sessions/data.ts'
import { ImageSender } from './content-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'DELETE', path: '/data/image-senders', query: ImageSender, answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, query }) =>
      removeImageSender(database, actor, query.address),
)
