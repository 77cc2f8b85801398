// Proves who is signed in once more, by a passkey.
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { invalidField } from '../../../access/problem.ts'
import { Closed } from '../../../lib/schemas.ts'
import { signInByPasskey } from '../../../users/sign-in-by-passkey.ts'
import { type AccountDeps, accountData, PasskeyAnswer, tooManyGuesses } from './own-account.ts'

export default accountData(
  {
    method: 'POST',
    path: '/data/step-up/passkey',
    ownAccount: true,
    body: Closed({ response: PasskeyAnswer }),
    answer: null,
  },
  (deps: Pick<AccountDeps, 'database' | 'challenges' | 'party'>) =>
    async ({ session, body, origin, keepSession }) => {
      const response = body.response as unknown as AuthenticationResponseJSON
      const proof = await signInByPasskey(deps, session.kind, { response, session }, origin)
      if (proof.outcome === 'delayed') throw tooManyGuesses(proof.seconds)
      if (proof.outcome === 'wrong') throw invalidField('response', 'is of no passkey of yours')
      keepSession(proof.session)
    },
)
