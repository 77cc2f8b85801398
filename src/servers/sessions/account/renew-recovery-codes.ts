// Shows new recovery codes; the former are no good any more.
import { renewRecoveryCodes } from '../../../users/renew-recovery-codes.ts'
import { RecoveryCodes } from '../account-schemas.ts'
import { type AccountDeps, accountData } from './own-account.ts'

export default accountData(
  { method: 'POST', path: '/data/account/recovery-codes', ownAccount: true, answer: RecoveryCodes },
  ({ database }: Pick<AccountDeps, 'database'>) =>
    async ({ session, origin }) => ({ recoveryCodes: await renewRecoveryCodes(database, session, origin) }),
)
