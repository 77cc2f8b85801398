// Shows users where a link is mailed to when they cannot sign in any more.
import type { Database } from '../../lib/sql.ts'
import { findRecoveryAddress } from '../../users/recovery-address.ts'
import { accountData } from '../sessions/account/own-account.ts'
import { RecoveryAddress } from './schemas.ts'

export default accountData(
  { method: 'GET', path: '/data/account/recovery-address', ownAccount: true, answer: RecoveryAddress },
  ({ database, mailsLinks }: { database: Database; mailsLinks: boolean }) =>
    async ({ session }) => {
      const found = await findRecoveryAddress(database, session)
      return { address: found?.address ?? null, isConfirmed: Boolean(found?.verifiedAt), mailsLinks }
    },
)
