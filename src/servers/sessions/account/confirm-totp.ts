// Makes the key of an authenticator app count, and shows the codes for the day that it is lost.
import { invalidField } from '../../../access/problem.ts'
import { Closed } from '../../../lib/schemas.ts'
import { confirmTotp } from '../../../users/add-totp.ts'
import { RecoveryCodes } from '../account-schemas.ts'
import { type AccountDeps, accountData, TypedSecret } from './own-account.ts'

export default accountData(
  {
    method: 'POST',
    path: '/data/account/totp/confirm',
    ownAccount: true,
    body: Closed({ code: TypedSecret }),
    answer: RecoveryCodes,
  },
  (deps: Pick<AccountDeps, 'database' | 'box'>) =>
    async ({ session, body, origin }) => {
      const recoveryCodes = await confirmTotp(deps, session, body.code, origin)
      if (!recoveryCodes) throw invalidField('code', 'is not the code that the app shows now')
      return { recoveryCodes }
    },
)
