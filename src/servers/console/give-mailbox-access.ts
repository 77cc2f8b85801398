// Gives somebody access to a mailbox. The link into the webmail shows this once.
import { IdParams } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { addMailboxUser } from '../../mailboxes/add-mailbox-user.ts'
import { enterAddress, type Site } from '../sessions/site.ts'
import { consoleData } from './console-data.ts'
import { NewMailboxUser } from './mailbox-schemas.ts'
import { MadeLink } from './schemas.ts'

export default consoleData(
  {
    method: 'POST',
    path: '/data/mailboxes/:mailboxId/users',
    params: IdParams('mailboxId'),
    body: NewMailboxUser,
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
    async ({ actor, params: { mailboxId }, body: { login, access } }) => {
      const { id, token, expiresAt } = await addMailboxUser(database, actor, { mailboxId, login, access })
      return { id, link: enterAddress(webmail, token), expiresAt, canBeMailed }
    },
)
