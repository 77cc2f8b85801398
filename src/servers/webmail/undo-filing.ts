// Takes back what was filed or flagged.
import type { MailboxUser } from '../../access/actor.ts'
import type { Database } from '../../lib/sql.ts'
import { undoFiling } from '../../messages/filing/undo-filing.ts'
import { dataFor } from '../sessions/data.ts'
import { UndoFiling, Undone } from './filing-schemas.ts'

/** A thousand entries, each with all that it may have, in capitals and with blanks. */
const BODY_LIMIT_BYTES = 512 * 1024

export default dataFor<MailboxUser>()(
  { method: 'POST', path: '/data/undo', body: UndoFiling, bodyLimitBytes: BODY_LIMIT_BYTES, answer: Undone },
  ({ database }: { database: Database }) =>
    ({ actor, body: { entries } }) =>
      undoFiling(database, actor, entries),
)
