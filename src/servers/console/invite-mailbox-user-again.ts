// A new link for a mailbox user who was invited. The former is no good any more.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { inviteMailboxUserAgain } from '../../mailboxes/invite-mailbox-user-again.ts'
import { enterAddress, type Site } from '../sessions/site.ts'
import { consoleData } from './console-data.ts'
import { MadeLink } from './schemas.ts'

export default consoleData(
  {
    method: 'POST',
    path: '/data/mailbox-users/:mailboxUserId/invitation',
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
      const { token, expiresAt } = await inviteMailboxUserAgain(database, actor, mailboxUserId)
      return { id: mailboxUserId, link: enterAddress(webmail, token), expiresAt, canBeMailed }
    },
)
