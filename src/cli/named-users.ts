// Whom an operator means by an address or an id.
import { problem } from '../access/problem.ts'
import type { Db } from '../lib/sql.ts'
import { harmlessLine } from '../lib/terminal-text.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type FoundMailboxUser, findMailboxUsers } from '../mailboxes/find-mailbox-users.ts'
import { type FoundPerson, findPeople } from '../people/find-people.ts'
import { theOne, theTenant } from './named.ts'

/**
 * Somebody with a role, by id or e-mail address. `tenant`: where, by id or name; not needed where there is only one.
 * @throws Problem not_found, validation_error that names the tenants
 */
export async function thePerson(db: Db, text: string, tenant?: string): Promise<FoundPerson & { tenantId: Uuid }> {
  const found = await theOne('person', text, {
    withId: (id) => findPeople(db, { id }),
    called: (email) => findPeople(db, { email }),
    tell: ({ email }) => email,
  })
  if (tenant !== undefined) return { ...found, tenantId: (await theTenant(db, tenant)).id }
  const [only, ...others] = found.tenants
  if (only && others.length === 0) return { ...found, tenantId: only.id }
  const lines = found.tenants.map(({ id, name }) => `  ${id}  ${harmlessLine(name)}`)
  throw problem('validation_error', {
    message: [`${found.email} has a role in ${lines.length} tenants; say in which with --tenant:`, ...lines].join('\n'),
  })
}

/** Somebody with mailboxes, by id or login. @throws Problem not_found */
export function theMailboxUser(db: Db, text: string): Promise<FoundMailboxUser> {
  return theOne('mailbox user', text, {
    withId: (id) => findMailboxUsers(db, { id }),
    called: (login) => findMailboxUsers(db, { login }),
    tell: ({ login }) => login,
  })
}
