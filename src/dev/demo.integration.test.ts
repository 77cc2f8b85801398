import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { operator } from '../../test/support/operator.ts'
import { TEST_SECRET_KEYS } from '../../test/support/role-parts.ts'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'
import { findApps } from '../apps/find-apps.ts'
import { findTenants } from '../apps/find-tenants.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import type { Database } from '../lib/sql.ts'
import { prepareDemo } from './demo.ts'

const { database } = await createTestDatabase()
const dataDir = await temporaryFolder('mdk-demo-')
after(() => rm(dataDir, { recursive: true, force: true }))
const box = createSecretBox(TEST_SECRET_KEYS)

/** The database until so many transactions have been made. */
function endingAfter(transactions: number): Database {
  let left = transactions
  return {
    ...database,
    transaction: async (work) => {
      if (left-- === 0) throw new Error('killed')
      return database.transaction(work)
    },
  }
}

test('a start that was killed while it made the demo is finished by the next', async () => {
  // Tenant and domain; then an application, the other, the mailbox, and the keys.
  for (const transactions of [2, 1, 1, 1, 1]) {
    await assert.rejects(prepareDemo(endingAfter(transactions), operator, box, dataDir), /^Error: killed$/)
  }
  const demo = await prepareDemo(database, operator, box, dataDir)
  assert.deepEqual(
    (await findTenants(database)).map(({ id }) => id),
    [demo.tenantId],
  )
  const apps = await findApps(database, {})
  assert.deepEqual(apps.map(({ id }) => id).sort(), [demo.productionAppId, demo.sandboxAppId].sort())
  assert.deepEqual(await prepareDemo(database, operator, box, dataDir), demo)
})
