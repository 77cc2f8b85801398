// Users take their recovery address away.
import type { Database } from '../../lib/sql.ts'
import { removeRecoveryAddress } from '../../users/remove-recovery-address.ts'
import { accountData } from '../sessions/account/own-account.ts'

export default accountData(
  { method: 'DELETE', path: '/data/account/recovery-address', ownAccount: true, answer: null },
  ({ database }: { database: Database }) =>
    ({ session, origin }) =>
      removeRecoveryAddress(database, session, origin),
)
