// How the user wants the webmail.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { listImageSenders } from '../../mailboxes/image-senders.ts'
import { readOwnSettings } from '../../mailboxes/own-settings.ts'
import { dataFor } from '../sessions/data.ts'
import { OwnSettingsAnswer } from './content-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/settings', answer: OwnSettingsAnswer },
  ({ database }: { database: Database }) =>
    async ({ actor }) => ({
      ...(await readOwnSettings(database, actor)),
      imageSenders: await listImageSenders(database, actor),
    }),
)
