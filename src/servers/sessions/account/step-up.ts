// Proves who is signed in once more, by password, and by a code where there is an authenticator app.
import { invalidField, type Problem, problem } from '../../../access/problem.ts'
import { Type } from '../../../lib/schema-types.ts'
import { Closed } from '../../../lib/schemas.ts'
import { proveCode } from '../../../users/prove-code.ts'
import { provePassword } from '../../../users/prove-password.ts'
import { type AccountDeps, accountData, TypedSecret, tooManyGuesses } from './own-account.ts'

export default accountData(
  {
    method: 'POST',
    path: '/data/step-up',
    ownAccount: true,
    body: Closed({ password: TypedSecret, code: Type.Optional(TypedSecret) }),
    answer: null,
  },
  (deps: Pick<AccountDeps, 'database' | 'hasher' | 'box'>) =>
    async ({ session, body: { password, code }, origin, keepSession }) => {
      const byPassword = await provePassword(deps, session, password, origin)
      if (byPassword.outcome === 'proven') return keepSession(byPassword.session)
      if (byPassword.outcome !== 'second_factor') throw refusal(byPassword, 'password')
      if (!code) throw problem('not_allowed', { message: 'A password is not enough: give a code, or use a passkey.' })
      const byCode = await proveCode(deps, session, code, origin)
      if (byCode.outcome !== 'proven') throw refusal(byCode, 'code')
      keepSession(byCode.session)
    },
)

function refusal(found: { outcome: 'wrong' } | { outcome: 'delayed'; seconds: number }, field: string): Problem {
  return found.outcome === 'delayed' ? tooManyGuesses(found.seconds) : invalidField(field, 'is not right')
}
