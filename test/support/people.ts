// People and mailbox users who can sign in, made as an Owner and they themselves would.
import { TOTP } from 'otpauth'
import type { PersonRole } from '../../src/access/permissions.ts'
import type { RequestOrigin } from '../../src/access/request-origin.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { invitePerson } from '../../src/people/invite-person.ts'
import { joinTenant } from '../../src/people/join-tenant.ts'
import type { NewSession } from '../../src/users/sessions.ts'
import { takeUpLink } from '../../src/users/take-up-link.ts'
import { makeTotpKey, placeOfTotpKey, useTotpStep } from '../../src/users/totp.ts'
import type { UserKind, UserRef } from '../../src/users/user.ts'
import { hasher } from './hash-turns.ts'
import { operatorOf } from './operator.ts'
import { TEST_SECRET_KEYS } from './role-parts.ts'

export const PASSWORD = 'four unrelated words here'

/** Each from a network of its own, so that tests do not wait for one another's guesses. */
export function originOf(n: number): RequestOrigin {
  return { requestId: newId(), clientAddress: `192.0.2.${n}`, userAgent: 'tests' }
}

export interface TestUser {
  id: Uuid
  login: string
  session: NewSession
}

/** Somebody with a role who has taken the invitation up. */
export async function createTestPerson(database: Database, tenantId: Uuid, role: PersonRole): Promise<TestUser> {
  const login = `person-${newId()}@example.com`
  const { id, token } = await invitePerson(database, operatorOf(tenantId), { email: login, role })
  return { id, login, session: await takeUp(database, 'person', token) }
}

export async function createTestMailboxUser(database: Database, tenantId: Uuid, mailboxId: Uuid): Promise<TestUser> {
  const login = `user-${newId()}@example.com`
  const { id, token } = await addMailboxUser(database, operatorOf(tenantId), { mailboxId, login, access: 'write' })
  return { id, login, session: await takeUp(database, 'mailbox_user', token) }
}

async function takeUp(database: Database, kind: UserKind, token: string): Promise<NewSession> {
  const deps = { database, hasher, join: joinTenant }
  const session = await takeUpLink(deps, kind, { token, password: PASSWORD }, originOf(1))
  if (!session) throw new Error('the link was no good')
  return session
}

/** Gives a user an authenticator app, whose codes this makes. */
export async function addTestTotp(database: Database, user: UserRef): Promise<TOTP> {
  const key = makeTotpKey()
  const sealed = createSecretBox(TEST_SECRET_KEYS).seal(key, placeOfTotpKey(user))
  await database.transaction(async (tx) => {
    await tx.rows(sql`
      insert into totp_keys (tenant_id, user_id, secret) values (${user.tenantId}, ${user.userId}, ${sealed})`)
    await useTotpStep(tx, user, 1)
  })
  return new TOTP({ secret: key.reveal() })
}
