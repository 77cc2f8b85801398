// Signs users out somewhere else.
import { IdParams } from '../../../lib/schemas.ts'
import { endOwnSessions } from '../../../users/end-own-sessions.ts'
import { type AccountDeps, accountData } from './own-account.ts'

export default accountData(
  {
    method: 'DELETE',
    path: '/data/account/sessions/:sessionId',
    ownAccount: true,
    params: IdParams('sessionId'),
    answer: null,
  },
  ({ database }: Pick<AccountDeps, 'database'>) =>
    async ({ session, params, origin, keepSession }) => {
      await endOwnSessions(database, session, { id: params.sessionId }, origin)
      if (params.sessionId === session.sessionId) keepSession(null)
    },
)
