// Mailbox users as the operator sees them, whoever's they are.
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { normalizeLogin } from '../users/find-user.ts'

export interface FoundMailboxUser {
  id: Uuid
  tenantId: Uuid
  login: string
}

/** Who has the id or the login; nobody, or one. */
export function findMailboxUsers(db: Db, which: { id?: Uuid; login?: string }): Promise<FoundMailboxUser[]> {
  const login = which.login === undefined ? null : normalizeLogin(which.login)
  return db.rows(sql<FoundMailboxUser>`
    select id, tenant_id as "tenantId", login from users
    where kind = 'mailbox_user' and (${which.id ?? null}::uuid is null or id = ${which.id ?? null})
      and (${login}::text is null or login = ${login})`)
}
