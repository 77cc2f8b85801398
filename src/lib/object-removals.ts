// Objects that are to leave the store, and when. An object is noted here before it is put and struck out in the
// transaction that makes it wanted, so that whatever crashes in between leaves nothing behind for good. Knows nothing
// of what the objects are.
import { type ObjectKey, type ObjectStore, readObjectKey } from './object-store.ts'
import { type Db, sql, type Timestamp, type Tx } from './sql.ts'

/** Notes that these objects are to go after so long, unless `keepObjects` strikes them out before. */
export async function removeLater(db: Db, keys: readonly ObjectKey[], dueInMs: number): Promise<void> {
  if (keys.length === 0) return
  await db.rows(sql`
    insert into object_removals (object_key, due_at)
    select key, clock_timestamp() + ${dueInMs} * interval '1 millisecond' from unnest(${keys}::text[]) as key
    on conflict (object_key) do update set due_at = excluded.due_at`)
}

/** Has objects go now that nobody names; one that is noted meanwhile stays noted as it is. Gives how many go. */
export async function removeUnnamed(db: Db, keys: readonly ObjectKey[]): Promise<number> {
  const noted = await db.rows(sql<{ object_key: string }>`
    insert into object_removals (object_key, due_at)
    select key, statement_timestamp() from unnest(${keys}::text[]) as key
    on conflict (object_key) do nothing
    returning object_key`)
  return noted.length
}

/** A sweep was faster: the object may be gone already. Nothing that needs it may be written. */
export class ObjectsSwept extends Error {
  override name = 'ObjectsSwept'
}

/** Strikes objects out, in the transaction that writes what needs them. @throws ObjectsSwept */
export async function keepObjects(tx: Tx, keys: readonly ObjectKey[]): Promise<void> {
  if (keys.length === 0) return
  const kept = await tx.rows(sql<{ object_key: string }>`
    delete from object_removals where object_key = any(${keys}::text[]) and claimed_until is null
    returning object_key`)
  if (kept.length !== new Set(keys).size) throw new ObjectsSwept('These objects were swept meanwhile.')
}

/** Held shared by whoever claims removals, and alone by whoever copies the objects meanwhile. */
const OBJECTS_STAY = 'mdk copies the objects'

/** Has no object go that is not claimed yet, for as long as the session of this connection lives. Waits for those who claim now. */
export async function holdRemovals(session: Db): Promise<void> {
  await session.rows(sql`select pg_advisory_lock(hashtextextended(${OBJECTS_STAY}, 0))::text`)
}

/** How long one sweep may take over the objects it has claimed before another tries them. */
const CLAIM_SECONDS = 300
const REMOVED_AT_ONCE = 8

/** Removes objects that are due, so many at most; none while they are held. Gives how many went. @throws StoreUnavailable */
export async function sweepRemovals(db: Db, store: ObjectStore, limit: number): Promise<number> {
  const claimed = await db.rows(sql<{ object_key: string; due_at: Timestamp }>`
    with free as materialized (select pg_try_advisory_xact_lock_shared(hashtextextended(${OBJECTS_STAY}, 0)) as yes)
    update object_removals set claimed_until = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})
    where (select yes from free) and object_key in (
      select object_key from object_removals
      where due_at <= statement_timestamp() and (claimed_until is null or claimed_until <= clock_timestamp())
      order by due_at limit ${limit} for update skip locked)
    returning object_key, due_at`)
  const keys = claimed.map((row) => readObjectKey(row.object_key))
  for (let i = 0; i < keys.length; i += REMOVED_AT_ONCE) {
    await Promise.all(keys.slice(i, i + REMOVED_AT_ONCE).map((key) => store.delete(key)))
  }
  // One that was noted again meanwhile may be there again.
  await db.rows(sql`
    delete from object_removals r
    using unnest(${keys}::text[], ${claimed.map((row) => row.due_at)}::timestamptz[]) as c (key, due_at)
    where r.object_key = c.key and r.due_at = c.due_at`)
  return keys.length
}
