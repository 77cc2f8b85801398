// A version migrates while processes of the one before work: functions and triggers of the database are replaced under those
// who call them, and what is begun goes on.
import assert from 'node:assert/strict'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { DATABASE_SCHEMA } from '../../src/database-schema.ts'
import { migrate } from '../../src/lib/migrate.ts'
import type { Schema } from '../../src/lib/schema-files.ts'
import { sql } from '../../src/lib/sql.ts'
import { openTestStore, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { allSent, checkStory, RECOVERS_WITHIN_MS, sendSteadily, taken } from '../support/steady-sends.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { subscribe } from '../support/webhook-subscriber.ts'
import { startTestWebhooks } from '../support/webhooks.ts'
import { startTestOutbound } from '../support/workers.ts'

const MESSAGES = 300
const UPGRADES = 5

/** This version's schema as a later one has it: each function and trigger has another text that does the same. */
async function laterSchema(n: number): Promise<Schema> {
  const root = await temporaryFolder('mdk-upgrade-')
  after(() => rm(root, { recursive: true, force: true }))
  for (const path of DATABASE_SCHEMA.functions) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), `${await readFile(join(DATABASE_SCHEMA.root, path), 'utf8')}-- ${n}\n`)
  }
  return { ...DATABASE_SCHEMA, root, version: `${1_000 + n}.0.0` }
}

test('functions and triggers are replaced while messages are sent, submitted and delivered, and nobody notices', async () => {
  const { database } = await createTestDatabase()
  const store = await openTestStore()
  const { url } = await startTestApi(database, { store })
  const sink = await startSmtpSink()
  after(sink.stop)
  const receiver = await startReceiver()
  const { tenant } = await subscribe(url, database, receiver)
  startTestWebhooks(database)
  await startTestOutbound(database, { relayUrl: sink.url, store })

  const sends = sendSteadily(() => url, tenant, MESSAGES)
  for (let n = 1; n <= UPGRADES; n++) {
    await taken(sends, Math.floor((n / (UPGRADES + 1)) * MESSAGES))
    assert.equal((await migrate(database, await laterSchema(n))).length, DATABASE_SCHEMA.functions.length)
    // A process of the version before that starts now leaves them as they are.
    assert.deepEqual(await migrate(database, DATABASE_SCHEMA), [])
  }
  await sends.done
  assert.deepEqual([...sends.others], [])
  await allSent(database, tenant, MESSAGES)
  assert.equal(await checkStory(database, tenant, sends.taken, sink.mails), 0)
  await until(
    'every event of them is delivered',
    async () => {
      const left = sql<{ made: number; open: number }>`
        select count(*) as made, count(*) filter (where status <> 'delivered') as open from webhook_deliveries
        where tenant_id = ${tenant.tenantId}`
      const { made = 0, open = 1 } = (await database.first(left)) ?? {}
      return made === 2 * MESSAGES && open === 0
    },
    RECOVERS_WITHIN_MS,
  )
})
