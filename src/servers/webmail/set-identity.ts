// The user says how to sign what is sent from a mailbox.
import type { MailboxUser } from '../../access/actor.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { setSenderIdentity } from '../../mailboxes/sender-identities.ts'
import { dataFor } from '../sessions/data.ts'
import { IdentityChange, OneIdentity } from './identity-schemas.ts'

export default dataFor<MailboxUser>()(
  {
    method: 'PUT',
    path: '/data/identities/:mailboxId',
    params: IdParams('mailboxId'),
    body: IdentityChange,
    bodyLimitBytes: 256 * 1024,
    answer: OneIdentity,
  },
  ({ database }: { database: Database }) =>
    ({ actor, params: { mailboxId }, body }) =>
      setSenderIdentity(database, actor, mailboxId, body),
)
