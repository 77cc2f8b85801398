// Who has access to a mailbox.
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { listMailboxUsers } from '../../mailboxes/list-mailbox-users.ts'
import { readMailbox } from '../../mailboxes/page-mailboxes.ts'
import { consoleData } from './console-data.ts'
import { MailboxUsers } from './mailbox-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/mailboxes/:mailboxId/users', params: IdParams('mailboxId'), answer: MailboxUsers },
  ({ database }: { database: Db }) =>
    async ({ actor, params: { mailboxId } }) => {
      const mailbox = await readMailbox(database, actor, mailboxId)
      const users = await listMailboxUsers(database, actor, mailbox.id)
      return {
        items: users.map(({ id, login, name, mailboxes, status, hasRecoveryAddress, lastSeenAt }) => ({
          ...{ id, login, name, status, hasRecoveryAddress, lastSeenAt },
          access: mailboxes.some((of) => of.mailboxId === mailbox.id && of.access === 'write')
            ? ('write' as const)
            : ('read' as const),
          others: mailboxes.filter((of) => of.mailboxId !== mailbox.id).map(({ address }) => address),
        })),
      }
    },
)
