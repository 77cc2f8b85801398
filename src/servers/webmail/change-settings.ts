// Users say how they want the webmail.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { changeOwnSettings } from '../../mailboxes/own-settings.ts'
import { dataFor } from '../sessions/data.ts'
import { SettingsChange } from './content-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'PATCH', path: '/data/settings', body: SettingsChange, answer: null },
  ({ database }: { database: Database }) =>
    ({ actor, body }) =>
      changeOwnSettings(database, actor, body),
)
