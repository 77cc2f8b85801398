// Says what the browser is asked for when a passkey is to be added.
import { offerPasskey } from '../../../users/add-passkey.ts'
import { type AccountDeps, accountData, PasskeyOptions } from './own-account.ts'

export default accountData(
  { method: 'POST', path: '/data/account/passkeys/options', ownAccount: true, answer: PasskeyOptions },
  (deps: Pick<AccountDeps, 'database' | 'challenges' | 'party'>) =>
    async ({ session }) => ({ optionsJSON: await offerPasskey(deps, session) }),
)
