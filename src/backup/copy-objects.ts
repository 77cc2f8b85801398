// Copies what the object store holds into a vault: each object once, however many backups there are. An object never changes
// once the database names it.
import type { ObjectKey, ObjectStore } from '../lib/object-store.ts'
import { objectListName, sealedObjectName } from './manifest.ts'
import type { Vault } from './vault.ts'

export interface ObjectsCopied {
  count: number
  sizeBytes: number
  /** How many were not there before. */
  added: number
}

const COPIED_AT_ONCE = 8

/** Whoever calls sees to it that none goes meanwhile. @throws StoreUnavailable */
export async function copyObjects(
  store: ObjectStore,
  vault: Vault,
  id: string,
  onObject: (copied: ObjectsCopied) => void,
): Promise<ObjectsCopied> {
  const copied: ObjectsCopied = { count: 0, sizeBytes: 0, added: 0 }
  await vault.put(objectListName(id), lines())
  return copied

  async function* lines(): AsyncGenerator<Buffer> {
    for await (const page of store.list()) {
      for (let i = 0; i < page.length; i += COPIED_AT_ONCE) {
        const keys = page.slice(i, i + COPIED_AT_ONCE)
        const found = await Promise.all(keys.map((key) => copyOnce(store, vault, key)))
        for (const [n, object] of found.entries()) {
          if (!object) continue
          copied.count++
          copied.sizeBytes += object.sizeBytes
          copied.added += object.added ? 1 : 0
          yield Buffer.from(`${keys[n]} ${object.sizeBytes}\n`)
        }
        onObject(copied)
      }
    }
  }
}

async function copyOnce(
  store: ObjectStore,
  vault: Vault,
  key: ObjectKey,
): Promise<{ sizeBytes: number; added: boolean } | undefined> {
  const [found, there] = await Promise.all([store.head(key), vault.has(sealedObjectName(key))])
  if (!found) return undefined
  if (there) return { sizeBytes: found.sizeBytes, added: false }
  return (await copyObject(store, vault, key)) ? { sizeBytes: found.sizeBytes, added: true } : undefined
}

/** Copies it anew. False when it is not in the store: it was on its way, and nobody needs it. @throws StoreUnavailable */
export async function copyObject(store: ObjectStore, vault: Vault, key: ObjectKey): Promise<boolean> {
  const bytes = await store.get(key)
  if (!bytes) return false
  await vault.put(sealedObjectName(key), bytes)
  return true
}
