// Adds a passkey that the browser has made.
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { Type } from '../../../lib/schema-types.ts'
import { Closed, Uuid } from '../../../lib/schemas.ts'
import { addPasskey } from '../../../users/add-passkey.ts'
import { type AccountDeps, accountData, PasskeyAnswer } from './own-account.ts'

export default accountData(
  {
    method: 'POST',
    path: '/data/account/passkeys',
    ownAccount: true,
    body: Closed({ response: PasskeyAnswer, name: Type.String() }),
    answer: Closed({ id: Uuid }),
    status: 201,
  },
  (deps: Pick<AccountDeps, 'database' | 'challenges' | 'party'>) =>
    ({ session, body: { response, name }, origin }) =>
      addPasskey(deps, session, { response: response as unknown as RegistrationResponseJSON, name }, origin),
)
