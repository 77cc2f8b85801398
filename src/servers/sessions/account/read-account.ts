// Shows users their own account.
import { readAccount } from '../../../users/read-account.ts'
import { Account } from '../account-schemas.ts'
import { type AccountDeps, accountData } from './own-account.ts'

export default accountData(
  { method: 'GET', path: '/data/account', ownAccount: true, answer: Account },
  ({ database }: Pick<AccountDeps, 'database'>) =>
    async ({ session }) => {
      const { login, name, notices, passwordChangedAt, totpAddedAt, recoveryCodes, passkeys } = await readAccount(
        database,
        session,
      )
      return {
        login,
        name,
        notices,
        hasPassword: passwordChangedAt !== null,
        hasTotp: totpAddedAt !== null,
        recoveryCodes,
        passkeys,
      }
    },
)
