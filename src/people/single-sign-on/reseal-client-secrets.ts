// Has no older key of the service be needed for the secrets of providers' clients.
import { resealEach } from '../../lib/reseal.ts'
import type { SecretBox } from '../../lib/secret-box.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { placeOfClientSecret } from './find-single-sign-on.ts'

/** Gives how many were sealed anew. @throws AggregateError that names those that do not open */
export async function resealClientSecrets(db: Db, box: SecretBox, keyVersion: number, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ tenantId: Uuid; sealed: Buffer }>`
    select tenant_id as "tenantId", client_secret as sealed from single_sign_on
    where sealed_with(client_secret) <> ${keyVersion} limit ${limit}`)
  return resealEach(
    rows,
    ({ tenantId }) => `the single sign-on of tenant ${tenantId}`,
    ({ tenantId, sealed }) => {
      const place = placeOfClientSecret(tenantId)
      const again = box.seal(box.open(sealed, place), place)
      return db.rows(sql`
        update single_sign_on set client_secret = ${again} where tenant_id = ${tenantId} and client_secret = ${sealed}`)
    },
  )
}
