// What users call themselves.
import { invalidField } from '../access/problem.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import { type Database, sql } from '../lib/sql.ts'
import { tenantsOfUser } from './find-user.ts'
import { recordSignIn } from './record-sign-in.ts'
import { requireReach } from './require-whole.ts'
import type { FoundSession } from './sessions.ts'

/** Characters. */
const MOST = 100

/** An empty name takes it away. Gives what is kept. @throws Problem validation_error, not_signed_in, not_allowed */
export async function setName(
  database: Database,
  user: FoundSession,
  given: string,
  origin: RequestOrigin,
): Promise<string | null> {
  await requireReach(database, user)
  const name = given.trim() === '' ? null : given.trim()
  if (name !== null && (name.length > MOST || /\p{Cc}/u.test(name) || !name.isWellFormed())) {
    throw invalidField('name', `must have at most ${MOST} characters, no control characters among them`)
  }
  await database.transaction(async (tx) => {
    await tx.rows(sql`update users set name = ${name} where tenant_id = ${user.tenantId} and id = ${user.userId}`)
    await recordSignIn(tx, user, await tenantsOfUser(tx, user), 'name.set', origin)
  })
  return name
}
