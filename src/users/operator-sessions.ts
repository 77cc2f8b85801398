// Sessions as the operator sees and ends them, whoever's they are.
import { type Operator, operatorIn, productionOf } from '../access/actor.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, type Db, sql, type Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { normalizeLogin, tenantsOfUser } from './find-user.ts'
import { lockUser } from './lock-user.ts'
import { endSessions } from './sessions.ts'
import type { UserKind, UserRef } from './user.ts'

/** `id`: of a session or of a user. `login`: of a person and of a mailbox user, where both sign in with the address. */
export type WhichSessions = 'all' | { id: Uuid } | { login: string }

export interface FoundSessionOfUser {
  id: Uuid
  kind: UserKind
  tenantId: Uuid
  userId: Uuid
  login: string
  clientAddress: string
  userAgent: string | null
  createdAt: Timestamp
  lastUsedAt: Timestamp
}

/** Also those that are over and not yet removed; the latest used first. */
export function findSessions(db: Db, which: WhichSessions, limit: number | null): Promise<FoundSessionOfUser[]> {
  const id = typeof which === 'object' && 'id' in which ? which.id : null
  const login = typeof which === 'object' && 'login' in which ? normalizeLogin(which.login) : null
  return db.rows(sql<FoundSessionOfUser>`
    select s.id, u.kind, u.tenant_id as "tenantId", u.id as "userId", u.login, s.client_address as "clientAddress",
      s.user_agent as "userAgent", s.created_at as "createdAt", s.last_used_at as "lastUsedAt"
    from sessions s join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
    where (${id}::uuid is null or s.id = ${id} or u.id = ${id}) and (${login}::text is null or u.login = ${login})
    order by s.last_used_at desc, s.id limit ${limit}`)
}

/** Gives how many ended. On record in every tenant of the users. */
export async function endFoundSessions(database: Database, operator: Operator, which: WhichSessions): Promise<number> {
  const idsByUser = new Map<Uuid, { user: UserRef; ids: Uuid[] }>()
  for (const { id, kind, tenantId, userId } of await findSessions(database, which, null)) {
    const entry = idsByUser.get(userId) ?? { user: { kind, tenantId, userId }, ids: [] }
    entry.ids.push(id)
    idsByUser.set(userId, entry)
  }
  let ended = 0
  for (const { user, ids } of idsByUser.values()) {
    ended += await database.transaction(async (tx) => {
      await lockUser(tx, user)
      let gone = 0
      for (const id of ids) gone += await endSessions(tx, user, { id })
      for (const tenantId of gone > 0 ? await tenantsOfUser(tx, user) : []) {
        const actor = operatorIn(operator, productionOf(tenantId))
        await recordAct(tx, actor, { operation: 'session.end', resourceType: 'user', resourceId: user.userId })
      }
      return gone
    })
  }
  return ended
}
