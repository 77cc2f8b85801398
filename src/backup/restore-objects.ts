// Puts into the object store what a recovered database names and the store lacks.
import { type ObjectKey, type ObjectStore, readObjectKey } from '../lib/object-store.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import { namedObjects } from '../ops/stored-objects.ts'
import { sealedObjectName } from './manifest.ts'
import type { Vault } from './vault.ts'

export interface ObjectsRestored {
  /** Put back now. */
  restored: number
  /** Named by the database, and in neither the store nor the backups. */
  missing: number
}

const RESTORED_AT_ONCE = 8
const PAGE = 1_000

/** @throws DamagedBytes, StoreUnavailable */
export async function restoreObjects(
  database: Database,
  store: ObjectStore,
  vault: Vault,
  onObject: (count: number) => void,
): Promise<ObjectsRestored> {
  const done: ObjectsRestored = { restored: 0, missing: 0 }
  const restoreAll = async (keys: readonly ObjectKey[]) => {
    for (let i = 0; i < keys.length; i += RESTORED_AT_ONCE) {
      const results = await Promise.all(keys.slice(i, i + RESTORED_AT_ONCE).map((key) => restore(store, vault, key)))
      for (const result of results) done[result]++
      onObject(done.restored)
    }
  }
  for (const kind of ['message', 'attachment'] as const) {
    for await (const { missing } of namedObjects(database, store, kind, { sizes: true })) {
      await restoreAll(missing.map(({ key }) => readObjectKey(key)))
    }
  }
  for (let after = ''; ; ) {
    const keys = await reportsAfter(database, after)
    const last = keys.at(-1)
    if (last === undefined) return done
    const found = await Promise.all(keys.map((key) => store.head(key)))
    await restoreAll(keys.filter((_, n) => found[n] === undefined))
    after = last
  }
}

async function restore(store: ObjectStore, vault: Vault, key: ObjectKey): Promise<'restored' | 'missing'> {
  const name = sealedObjectName(key)
  if (!(await vault.has(name))) return 'missing'
  await store.put(key, vault.get(name))
  return 'restored'
}

async function reportsAfter(db: Db, after: string): Promise<ObjectKey[]> {
  const rows = await db.rows(sql<{ object_key: string }>`
    select object_key from unread_reports where object_key > ${after} order by object_key limit ${PAGE}`)
  return rows.map(({ object_key }) => readObjectKey(object_key))
}
