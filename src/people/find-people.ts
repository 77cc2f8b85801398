// People as the operator sees them, with the tenants that they have roles in.
import { DIRECTORY } from '../access/actor.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { normalizeLogin } from '../users/find-user.ts'

export interface FoundPerson {
  id: Uuid
  email: string
  /** By name. */
  tenants: { id: Uuid; name: string }[]
}

/** Who has the id or the address; nobody, or one. */
export function findPeople(db: Db, { id, email }: { id?: Uuid; email?: string }): Promise<FoundPerson[]> {
  const login = email === undefined ? null : normalizeLogin(email)
  return db.rows(sql<FoundPerson>`
    select u.id, u.login as email,
      coalesce((
        select json_agg(json_build_object('id', t.id, 'name', t.name) order by t.name, t.id)
        from memberships m join tenants t on t.id = m.tenant_id where m.person_id = u.id
      ), '[]') as tenants
    from users u
    where u.tenant_id = ${DIRECTORY} and (${id ?? null}::uuid is null or u.id = ${id ?? null})
      and (${login}::text is null or u.login = ${login})`)
}
