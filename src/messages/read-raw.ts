// Finds the bytes of a message as it was sent or received. Knows nothing of HTTP.

import type { Readable } from 'node:stream'
import type { Realm, TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { assertSeesContent } from '../apps/see-content.ts'
import { ObjectMissing, type ObjectStore, objectKey } from '../lib/object-store.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface RawMessage {
  sizeBytes: number
  /** Opens its bytes, which the caller reads or destroys. @throws StoreUnavailable, ObjectMissing */
  open(): Promise<Readable>
}

/** The stored message; undefined when absent, foreign, gone or not built yet. @throws Problem content_hidden */
export async function readRawMessage(
  db: Db,
  store: ObjectStore,
  actor: TenantActor,
  id: Uuid,
): Promise<RawMessage | undefined> {
  assertMay(actor, 'readMessages')
  await assertSeesContent(db, actor)
  return findRawMessage(db, store, actor, id)
}

/** The same, for whoever was found to see it. */
export async function findRawMessage(
  db: Db,
  store: ObjectStore,
  { tenantId, environmentId }: Realm,
  id: Uuid,
): Promise<RawMessage | undefined> {
  const row = await db.first(sql<{ id: Uuid; size_bytes: number | null }>`
    select m.id, coalesce(m.size_bytes, s.size_bytes) as size_bytes
    from messages m left join message_states s on s.tenant_id = m.tenant_id and s.message_id = m.id
    where m.tenant_id = ${tenantId} and m.environment_id = ${environmentId} and m.id = ${id}
      and m.gone is null`)
  if (!row || row.size_bytes === null) return undefined
  const key = objectKey('messages', tenantId, row.id)
  return {
    sizeBytes: row.size_bytes,
    async open() {
      const bytes = await store.get(key)
      if (!bytes) throw new ObjectMissing(key)
      return bytes
    },
  }
}
