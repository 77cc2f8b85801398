// Mail that comes in while its process is killed: what was answered 250 is there once, and what was handed in again
// because no answer came is not doubled. Trash that goes while its sweeper is killed goes once.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { handIn } from '../support/inbound.ts'
import { startService } from '../support/service.ts'
import { prepareService } from '../support/service-under-fault.ts'
import { allSent, RECOVERS_WITHIN_MS, sendSteadily } from '../support/steady-sends.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { trash } from '../support/trash.ts'
import { until } from '../support/until.ts'

const under = await prepareService()
const { database, env } = under
const SENDERS = 8

interface SteadyMail {
  /** Mails that were answered 250. */
  taken: number
  readonly done: Promise<void>
}

/** Hands in so many mails, eight at a time, each until it is answered 250: what a mail server does. */
function receiveSteadily(port: () => number, tenant: TestTenant, count: number): SteadyMail {
  let next = 0
  const handInUntilTaken = (n: number) =>
    until(
      `mail ${n} is taken`,
      async () => {
        const mail = `Subject: ${n}\r\nFrom: someone@example.test\r\n\r\n${'text '.repeat(1_000)}\r\n`
        const said = await handIn(port(), 'someone@example.test', [tenant.address], mail).catch(() => undefined)
        const last = said?.last ?? 'closed'
        assert.match(last, /^(250|451|421|closed)/)
        return last.startsWith('250')
      },
      RECOVERS_WITHIN_MS,
    )
  const sender = async () => {
    while (next < count) {
      await handInUntilTaken(next++)
      mail.taken++
    }
  }
  const mail = { taken: 0, done: Promise.all(Array.from({ length: SENDERS }, sender)).then(() => undefined) }
  return mail
}

const subjectsOf = async ({ tenantId }: TestTenant) =>
  (
    await database.rows(sql<{ subject: string; events: string[] }>`
      select m.subject, array(select e.type from events e where e.resource_id = m.id) as events
      from messages m where m.tenant_id = ${tenantId}`)
  ).map(({ subject, events }) => `${subject} ${events}`)

test('120 mails with their process killed twice are each taken once', async () => {
  const tenant = await createTestTenant(database)
  const start = () => startService(env, ['serve', '--roles', 'inbound'])
  let service = await start()
  const mail = receiveSteadily(() => service.smtpPort, tenant, 120)
  for (const at of [30, 70]) {
    await until(`${at} are taken`, () => mail.taken >= at, RECOVERS_WITHIN_MS)
    await service.kill()
    service = await start()
  }
  await mail.done
  assert.equal(await service.stop(), 0)
  const expected = Array.from({ length: 120 }, (_, n) => `${n} message.received`)
  assert.deepEqual((await subjectsOf(tenant)).sort(), expected.sort())
  await under.assertWhole()
})

test('SIGTERM while mail comes in lets it in or puts it off', async () => {
  const tenant = await createTestTenant(database)
  const start = () => startService(env, ['serve', '--roles', 'inbound'])
  let service = await start()
  const first = service
  const mail = receiveSteadily(() => service.smtpPort, tenant, 60)
  await until('20 are taken', () => mail.taken >= 20, RECOVERS_WITHIN_MS)
  const stopping = first.stop()
  service = await start()
  assert.equal(await stopping, 0)
  await mail.done
  assert.equal(await service.stop(), 0)
  assert.equal(new Set(await subjectsOf(tenant)).size, 60)
  assert.equal((await subjectsOf(tenant)).length, 60)
  await under.assertWhole()
})

test('trash that is swept by processes that are killed goes once, and its bytes with it', async () => {
  const tenant = await createTestTenant(database)
  const service = await startService(env)
  await sendSteadily(() => service.url, tenant, 300).done
  await allSent(database, tenant, 300)
  assert.equal(await service.stop(), 0)
  const sent = await database.rows(sql<{ id: Uuid }>`select id from messages where tenant_id = ${tenant.tenantId}`)
  await trash(
    database,
    sent.map(({ id }) => id),
    '1 hour',
  )
  const sweep = () =>
    startService({ ...env, MDK_SWEEP: '50ms', MDK_TRASH_TTL: '1m' }, ['serve', '--roles', 'retention'])
  const remaining = async () => (await subjectsOf(tenant)).length
  for (let before = 300; before > 0; ) {
    const sweeper = await sweep()
    before = await until('some have gone', async () => {
      const now = await remaining()
      return now < before && { now }
    }).then(({ now }) => now)
    await sweeper.kill()
  }
  // What a killed sweep had claimed is tried again after five minutes, which pass now.
  await database.rows(sql`update object_removals set claimed_until = clock_timestamp()`)
  const sweeper = await sweep()
  await until('the bytes have gone', async () => (await objectsOf(tenant)).length === 0, RECOVERS_WITHIN_MS)
  assert.equal(await sweeper.stop(), 0)
  const deleted = await database.rows(sql<{ times: number; messages: number }>`
    select count(*) as times, count(distinct resource_id) as messages from events
    where tenant_id = ${tenant.tenantId} and type = 'message.deleted'`)
  assert.deepEqual(deleted, [{ times: 300, messages: 300 }])
  await under.assertWhole()
})

/** Files of the store that are the tenant's. */
async function objectsOf({ tenantId }: TestTenant): Promise<string[]> {
  const files = await readdir(join(under.dataDir, 'objects'), { recursive: true })
  return files.filter((file) => file.includes(tenantId))
}
