import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { keepObjects, ObjectsSwept, removeLater, sweepRemovals } from '../../src/lib/object-removals.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { objectKey } from '../../src/lib/object-store.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { database } = await createTestDatabase()
const folder = await temporaryFolder('removals-test-')
after(() => rm(folder, { recursive: true }))
const store = await openFileStore(folder)
const newKey = () => objectKey('attachments', newId(), newId())

async function put(): Promise<ReturnType<typeof newKey>> {
  const key = newKey()
  await store.put(key, Buffer.from('x'))
  return key
}

test('what is due goes, what is not due yet and what was struck out stay', async () => {
  const [due, later, kept] = [await put(), await put(), await put()]
  await removeLater(database, [due, kept], 0)
  await removeLater(database, [later], 3_600_000)
  await database.transaction((tx) => keepObjects(tx, [kept]))
  assert.equal(await sweepRemovals(database, store, 100), 1)
  assert.equal(await store.head(due), undefined)
  assert.ok(await store.head(later))
  assert.ok(await store.head(kept))
  assert.equal(await sweepRemovals(database, store, 100), 0)
})

test('an object that a sweep has claimed can no longer be kept, and what was to be written with it is not', async () => {
  const key = await put()
  await removeLater(database, [key], 0)
  await database.pool.query(`update object_removals set claimed_until = clock_timestamp() + interval '1 minute'`)
  await assert.rejects(
    database.transaction((tx) => keepObjects(tx, [key])),
    ObjectsSwept,
  )
})

test('an object that is noted again while a sweep removes it is looked at again', async () => {
  const key = await put()
  await removeLater(database, [key], 0)
  const again = {
    ...store,
    async delete(object: typeof key) {
      await store.delete(object)
      if (object !== key) return
      await removeLater(database, [key], 0)
      await store.put(key, Buffer.from('x'))
    },
  }
  await sweepRemovals(database, again, 100)
  assert.ok(await store.head(key))
  await database.pool.query(
    `update object_removals set claimed_until = clock_timestamp() - interval '1 second' where object_key = $1`,
    [key],
  )
  await sweepRemovals(database, store, 100)
  assert.equal(await store.head(key), undefined)
})

test('a sweep that died is taken over, and two at once remove each object once', async () => {
  const keys = await Promise.all(Array.from({ length: 30 }, put))
  await removeLater(database, keys, 0)
  await database.pool.query(`update object_removals set claimed_until = clock_timestamp() - interval '1 second'`)
  const counts = await Promise.all([1, 2, 3].map(() => sweepRemovals(database, store, 100)))
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    31,
  )
  for (const key of keys) assert.equal(await store.head(key), undefined)
})
