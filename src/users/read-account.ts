// A user's account as the user sees it.
import { type Db, sql } from '../lib/sql.ts'
import { type ListedFactors, listFactors } from './list-factors.ts'
import type { FoundSession } from './sessions.ts'

export interface OwnAccount extends ListedFactors {
  login: string
  name: string | null
  /** Whether notices are mailed. */
  notices: boolean
}

export async function readAccount(db: Db, user: FoundSession): Promise<OwnAccount> {
  const [row, factors] = await Promise.all([
    db.first(sql<{ notices: boolean }>`
      select notices from users where tenant_id = ${user.tenantId} and id = ${user.userId}`),
    listFactors(db, user),
  ])
  return { login: user.login, name: user.name, notices: row?.notices ?? false, ...factors }
}
