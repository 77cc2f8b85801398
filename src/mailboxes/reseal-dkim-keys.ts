// Has no older key of the service be needed for the keys that sign mail.
import { resealEach } from '../lib/reseal.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { resealSigningKey } from './dkim-key.ts'

interface Sealed {
  tenantId: Uuid
  id: Uuid
  sealed: Buffer
}

/** Those that sign and those that are about to. Gives how many were sealed anew. @throws AggregateError that names those that do not open */
export async function resealDkimKeys(db: Db, box: SecretBox, keyVersion: number, limit: number): Promise<number> {
  const signing = await db.rows(sql<Sealed>`
    select tenant_id as "tenantId", id, dkim_private_key as sealed from domains
    where dkim_private_key is not null and sealed_with(dkim_private_key) <> ${keyVersion} limit ${limit}`)
  const next = await db.rows(sql<Sealed>`
    select tenant_id as "tenantId", domain_id as id, next_private_key as sealed from dkim_turns
    where next_private_key is not null and sealed_with(next_private_key) <> ${keyVersion}
    limit ${limit - signing.length}`)
  // Guarded: a key that takes the place of another meanwhile stays.
  return resealEach(
    [...signing, ...next],
    ({ id }) => `domain ${id}`,
    async ({ tenantId, id, sealed }) => {
      const again = resealSigningKey(box, { tenantId, id }, sealed)
      await db.rows(sql`
        update domains set dkim_private_key = ${again}
        where tenant_id = ${tenantId} and id = ${id} and dkim_private_key = ${sealed}`)
      await db.rows(sql`
        update dkim_turns set next_private_key = ${again}
        where tenant_id = ${tenantId} and domain_id = ${id} and next_private_key = ${sealed}`)
    },
  )
}
