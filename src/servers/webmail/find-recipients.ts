// Whom the user may mean by what was typed so far.
import type { MailboxUser } from '../../access/actor.ts'
import { findRecipients } from '../../activity/correspondents/find-recipients.ts'
import type { Database } from '../../lib/sql.ts'
import { dataFor } from '../sessions/data.ts'
import { FoundRecipients, RecipientsAsked } from './identity-schemas.ts'

export default dataFor<MailboxUser>()(
  { method: 'GET', path: '/data/recipients', query: RecipientsAsked, answer: FoundRecipients },
  ({ database }: { database: Database }) =>
    async ({ actor, query: { mailbox, q } }) => ({
      items: await findRecipients(database, actor, { mailboxId: mailbox, q }),
    }),
)
