// Has no older key of the service be needed for the keys that sign mail.
import { resealEach } from '../lib/reseal.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { resealSigningKey } from './dkim-key.ts'

/** Gives how many were sealed anew. @throws AggregateError that names those that do not open */
export async function resealDkimKeys(db: Db, box: SecretBox, keyVersion: number, limit: number): Promise<number> {
  const rows = await db.rows(sql<{ tenantId: Uuid; id: Uuid; sealed: Buffer }>`
    select tenant_id as "tenantId", id, dkim_private_key as sealed from domains
    where dkim_private_key is not null and sealed_with(dkim_private_key) <> ${keyVersion} limit ${limit}`)
  return resealEach(
    rows,
    ({ id }) => `domain ${id}`,
    ({ tenantId, id, sealed }) => {
      const again = resealSigningKey(box, { tenantId, id }, sealed)
      return db.rows(sql`
        update domains set dkim_private_key = ${again}
        where tenant_id = ${tenantId} and id = ${id} and dkim_private_key = ${sealed}`)
    },
  )
}
