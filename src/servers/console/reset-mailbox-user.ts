// A link by which a mailbox user sets a new password, and loses the other factors.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { resetMailboxUser } from '../../mailboxes/reset-mailbox-user.ts'
import { enterAddress, type Site } from '../sessions/site.ts'
import { consoleData } from './console-data.ts'
import { MadeLink } from './schemas.ts'

export default consoleData(
  {
    method: 'POST',
    path: '/data/mailbox-users/:mailboxUserId/reset',
    params: IdParams('mailboxUserId'),
    answer: MadeLink,
    status: 201,
  },
  ({
    database,
    webmail,
    mailsLinks: canBeMailed,
  }: {
    database: Database
    webmail: Pick<Site, 'origin'>
    mailsLinks: boolean
  }) =>
    async ({ actor, params: { mailboxUserId } }) => {
      const { token, expiresAt } = await resetMailboxUser(database, actor, mailboxUserId)
      return { id: mailboxUserId, link: enterAddress(webmail, token), expiresAt, canBeMailed }
    },
)
