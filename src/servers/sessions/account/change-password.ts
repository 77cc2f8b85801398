// Users change their password.
import { Closed } from '../../../lib/schemas.ts'
import { changePassword } from '../../../users/change-password.ts'
import { type AccountDeps, accountData, TypedSecret } from './own-account.ts'

export default accountData(
  {
    method: 'PUT',
    path: '/data/account/password',
    ownAccount: true,
    body: Closed({ password: TypedSecret }),
    answer: null,
  },
  (deps: Pick<AccountDeps, 'database' | 'hasher'>) =>
    ({ session, body, origin }) =>
      changePassword(deps, session, body.password, origin),
)
