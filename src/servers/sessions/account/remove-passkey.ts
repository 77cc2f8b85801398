// Takes a passkey away.
import { IdParams } from '../../../lib/schemas.ts'
import { removeFactor } from '../../../users/remove-factor.ts'
import { type AccountDeps, accountData } from './own-account.ts'

export default accountData(
  {
    method: 'DELETE',
    path: '/data/account/passkeys/:passkeyId',
    ownAccount: true,
    params: IdParams('passkeyId'),
    answer: null,
  },
  ({ database }: Pick<AccountDeps, 'database'>) =>
    ({ session, params, origin }) =>
      removeFactor(database, session, { passkey: params.passkeyId }, origin),
)
