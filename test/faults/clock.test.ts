// A process whose clock is ten minutes off, either way, and steps while it works: nothing that others judge by the time
// goes wrong, because the database's clock decides.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts'
import { SCOPES } from '../../src/access/permissions.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call, send } from '../support/api.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { operatorOf } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService, type TestService } from '../support/service.ts'
import { prepareService } from '../support/service-under-fault.ts'
import { allSent, checkStory, sendSteadily, taken } from '../support/steady-sends.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { subscribe } from '../support/webhook-subscriber.ts'

const skip = skipWithout('faketime')
const TEN_MINUTES_S = 600

/** The clock of a service that is started with its `env`. */
async function steppingClock(folder: string) {
  const file = join(folder, 'clock')
  const step = async (seconds: number) => {
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}`)
    await rename(`${file}.new`, file)
  }
  await step(0)
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  return {
    step,
    env: {
      LD_PRELOAD: library as string,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  }
}

/** How far a process's clock is ahead, by the times in its log. */
async function aheadSeconds({ url, logs }: TestService): Promise<number> {
  const before = logs.length
  await call(url, 'GET', '/v1/nothing')
  const line = await until('it has logged', () => logs.slice(before).find(({ msg }) => msg === 'request'))
  return Math.round((Date.parse(line.time as string) - Date.now()) / 1000)
}

test('a clock that steps by ten minutes, and back, disturbs nobody', { skip }, async () => {
  const under = await prepareService()
  const { database, sink } = under
  const clock = await steppingClock(under.dataDir)
  const service = await startService({ ...under.env, ...clock.env, MDK_LOG_LEVEL: 'info' })
  const receiver = await startReceiver()
  for (const seconds of [TEN_MINUTES_S, -TEN_MINUTES_S, 0]) {
    const tenant = await createTestTenant(database)
    const sends = sendSteadily(() => service.url, tenant, 150)
    await taken(sends, 50)
    await clock.step(seconds)
    await until('it has another time', async () => Math.abs((await aheadSeconds(service)) - seconds) < 30)
    const subscriber = await subscribe(service.url, database, receiver, { tenant })
    const one = await send(service.url, tenant.key, {
      fromMailboxId: tenant.mailboxId,
      to: ['r@example.test'],
      text: 'Hello',
    })
    assert.equal(one.status, 202)
    await sends.done
    const all = [...sends.taken, one.body.id]
    await allSent(database, tenant, all.length)
    assert.equal(await checkStory(database, tenant, all, sink.mails), 0)

    // Of all of them, which are more than a page: the next round has another secret.
    await until('all are delivered', async () => (await subscriber.deliveries('?status=pending')).length === 0)
    assert(receiver.delivered.length > 0)
    for (const { headers, body } of receiver.delivered.splice(0))
      verifyWebhook({ headers, body, secret: subscriber.secret })
    await checkFiles(service, tenant)
    await checkExpiry(database, service, tenant)
    const shown = await call(service.url, 'GET', `/v1/messages/${one.body.id}`, { key: tenant.key })
    assert(Math.abs(Date.parse(shown.body.message.createdAt) - Date.now()) < 60_000)
  }
  assert.equal(await service.stop(), 0)
  await under.assertWhole()
})

/** A file goes up and comes down by URLs that expire by the time of the database. */
async function checkFiles({ url }: TestService, { key, mailboxId }: TestTenant): Promise<void> {
  const bytes = Buffer.from('the bytes of a file')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const announced = { mailboxId, filename: 'a.txt', mediaType: 'text/plain', sizeBytes: bytes.length, sha256 }
  const headers = { 'idempotency-key': newId() }
  const prepared = await call(url, 'POST', '/v1/attachments/uploads', { key, headers, body: announced })
  assert.equal(prepared.status, 201)
  const { upload, uploadId } = prepared.body
  assertSoon(upload.expiresAt, 600)
  assert.equal((await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: bytes })).status, 200)
  const completed = await call(url, 'POST', `/v1/attachments/uploads/${uploadId}/complete`, { key })
  assert.equal(completed.status, 200)
  const download = await call(url, 'GET', `/v1/attachments/${completed.body.attachment.id}/download-url`, { key })
  assertSoon(download.body.expiresAt, 60)
  assert.equal(await (await fetch(download.body.url)).text(), bytes.toString())
}

function assertSoon(instant: string, seconds: number): void {
  const left = (Date.parse(instant) - Date.now()) / 1000
  assert(left > seconds - 30 && left < seconds + 5, `${left} s are left of ${seconds}`)
}

/** A key that expires in five minutes is good, and one that did five minutes ago is not. */
async function checkExpiry(database: Database, { url }: TestService, { appId, tenantId }: TestTenant): Promise<void> {
  for (const [minutes, status] of [
    [5, 200],
    [-5, 401],
  ] as const) {
    const { id, key } = await createKey({ database, keyHasher }, operatorOf(tenantId), { appId, scopes: SCOPES })
    await database.rows(sql`
      update api_keys set expires_at = clock_timestamp() + make_interval(mins => ${minutes}) where id = ${id}`)
    assert.equal((await call(url, 'GET', '/v1/mailboxes', { key })).status, status)
  }
}
