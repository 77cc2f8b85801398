// One mailbox, with how much it has.
import { mailboxFigures } from '../../activity/mailbox-figures.ts'
import { IdParams } from '../../lib/schemas.ts'
import type { Db } from '../../lib/sql.ts'
import { readMailbox } from '../../mailboxes/page-mailboxes.ts'
import { consoleData } from './console-data.ts'
import { ShownMailbox } from './mailbox-schemas.ts'

export default consoleData(
  { method: 'GET', path: '/data/mailboxes/:mailboxId', params: IdParams('mailboxId'), answer: ShownMailbox },
  ({ database }: { database: Db }) =>
    async ({ actor, params: { mailboxId } }) => {
      const mailbox = await readMailbox(database, actor, mailboxId)
      const [figures] = (await mailboxFigures(database, actor, [mailboxId])).values()
      return { ...mailbox, ...(figures ?? { storedBytes: 0, unread: 0 }) }
    },
)
