// Takes an authenticator app away.
import { removeFactor } from '../../../users/remove-factor.ts'
import { type AccountDeps, accountData } from './own-account.ts'

export default accountData(
  { method: 'DELETE', path: '/data/account/totp', ownAccount: true, answer: null },
  ({ database }: Pick<AccountDeps, 'database'>) =>
    ({ session, origin }) =>
      removeFactor(database, session, 'totp', origin),
)
