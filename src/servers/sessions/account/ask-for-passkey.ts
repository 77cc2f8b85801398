// Says what the browser is asked for when whoever is signed in is to prove it once more by a passkey.
import { askForPasskey } from '../../../users/sign-in-by-passkey.ts'
import { type AccountDeps, accountData, PasskeyOptions } from './own-account.ts'

export default accountData(
  { method: 'POST', path: '/data/step-up/passkey-options', ownAccount: true, answer: PasskeyOptions },
  (deps: Pick<AccountDeps, 'challenges' | 'party'>) =>
    async ({ session }) => ({ optionsJSON: await askForPasskey(deps, session.kind) }),
)
