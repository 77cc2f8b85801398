// Users have the images of a sender shown from now on.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { addImageSender } from '../../mailboxes/image-senders.ts'
import { dataFor } from '../sessions/data.ts'
import { ImageSender } from './content-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'POST', path: '/data/image-senders', body: ImageSender, answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, body }) =>
      addImageSender(database, actor, body.address),
)
