// Users name the address that a link is mailed to when they cannot sign in any more.
import { problem } from '../../access/problem.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed } from '../../lib/schemas.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import type { Database } from '../../lib/sql.ts'
import { setRecoveryAddress } from '../../users/set-recovery-address.ts'
import { accountData } from '../sessions/account/own-account.ts'

export default accountData(
  {
    method: 'PUT',
    path: '/data/account/recovery-address',
    ownAccount: true,
    body: Closed({ address: Type.String({ maxLength: 1_000 }) }),
    answer: null,
  },
  (deps: { database: Database; box: SecretBox; mailsLinks: boolean }) =>
    async ({ session, body, origin }) => {
      if (!deps.mailsLinks)
        throw problem('not_allowed', {
          message: 'No links are mailed here: ask whoever gave you your mailbox for help when you cannot sign in.',
        })
      await setRecoveryAddress(deps, session, body.address, origin)
    },
)
