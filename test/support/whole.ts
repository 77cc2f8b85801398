// What `mdk doctor --deep` looks at, for tests: everything that must hold over a whole database, whatever broke.
import assert from 'node:assert/strict'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import type { Database } from '../../src/lib/sql.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { feedCaughtUp } from './feed.ts'

/** @throws AssertionError that names what does not hold */
export async function assertWhole(database: Database, store: ObjectStore): Promise<void> {
  await feedCaughtUp(database)
  const broken = (await checkInvariants(database, store)).filter(({ result }) => result !== 'ok')
  assert.deepEqual(broken, [])
}
