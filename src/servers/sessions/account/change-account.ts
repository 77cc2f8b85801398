// Users change what they are called, and whether notices are mailed to them.
import { Type } from '../../../lib/schema-types.ts'
import { Closed, Nullable } from '../../../lib/schemas.ts'
import { setName } from '../../../users/set-name.ts'
import { setNotices } from '../../../users/set-notices.ts'
import { type AccountDeps, accountData } from './own-account.ts'

export default accountData(
  {
    method: 'PATCH',
    path: '/data/account',
    ownAccount: true,
    body: Closed({ name: Type.Optional(Nullable(Type.String())), notices: Type.Optional(Type.Boolean()) }),
    answer: null,
  },
  ({ database }: Pick<AccountDeps, 'database'>) =>
    async ({ session, body: { name, notices }, origin }) => {
      if (name !== undefined) await setName(database, session, name ?? '', origin)
      if (notices !== undefined) await setNotices(database, session, notices, origin)
    },
)
