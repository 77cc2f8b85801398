// Has no older key of the service be needed for the keys of authenticator apps.
import { resealEach } from '../lib/reseal.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { placeOfTotpKey } from './totp.ts'

/** Gives how many were sealed anew. @throws AggregateError that names those that do not open */
export async function resealTotpKeys(db: Db, box: SecretBox, keyVersion: number, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ tenantId: Uuid; userId: Uuid; sealed: Buffer }>`
    select tenant_id as "tenantId", user_id as "userId", secret as sealed from totp_keys
    where sealed_with(secret) <> ${keyVersion} limit ${limit}`)
  return resealEach(
    rows,
    ({ userId }) => `the authenticator app of user ${userId}`,
    ({ tenantId, userId, sealed }) => {
      const place = placeOfTotpKey({ tenantId, userId })
      const again = box.seal(box.open(sealed, place), place)
      return db.rows(sql`
        update totp_keys set secret = ${again}
        where tenant_id = ${tenantId} and user_id = ${userId} and secret = ${sealed}`)
    },
  )
}
