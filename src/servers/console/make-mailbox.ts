// Makes a mailbox.
import type { Database } from '../../lib/sql.ts'
import { createMailbox } from '../../mailboxes/create-mailbox.ts'
import { consoleData } from './console-data.ts'
import { MadeMailbox, NewMailbox } from './mailbox-schemas.ts'

export default consoleData(
  { method: 'POST', path: '/data/mailboxes', body: NewMailbox, answer: MadeMailbox, status: 201 },
  ({ database }: { database: Database }) =>
    ({ actor, body: { address, name } }) =>
      createMailbox(database, actor, { address, displayName: name }),
)
