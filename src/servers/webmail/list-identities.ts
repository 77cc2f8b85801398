// How the user signs what is sent from each mailbox.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { listSenderIdentities } from '../../mailboxes/sender-identities.ts'
import { dataFor } from '../sessions/data.ts'
import { Identities } from './identity-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/identities', answer: Identities },
  ({ database }: { database: Database }) =>
    async ({ actor }) => ({ items: await listSenderIdentities(database, actor) }),
)
