// Shows users where they are signed in.
import { listSessions } from '../../../users/sessions.ts'
import { SessionList } from '../account-schemas.ts'
import { type AccountDeps, accountData } from './own-account.ts'

export default accountData(
  { method: 'GET', path: '/data/account/sessions', ownAccount: true, answer: SessionList },
  ({ database }: Pick<AccountDeps, 'database'>) =>
    async ({ session }) => ({
      items: (await listSessions(database, session, session.onlyTenantId)).map((each) => ({
        ...each,
        isThis: each.id === session.sessionId,
      })),
    }),
)
