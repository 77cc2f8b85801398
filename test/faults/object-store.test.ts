// An object store that falls silent, or cannot make bytes durable: mail is put off in both directions, nothing is
// acknowledged that is not kept, and all of it goes on when the store does.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { openS3Store } from '../../src/lib/object-store/s3.ts'
import { readS3Location } from '../../src/lib/object-store/s3-location.ts'
import type { ObjectStore } from '../../src/lib/object-store.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call } from '../support/api.ts'
import { handIn } from '../support/inbound.ts'
import { S3_CREDENTIALS, startS3 } from '../support/s3.ts'
import { startService, type TestService } from '../support/service.ts'
import { prepareService, type UnderFault } from '../support/service-under-fault.ts'
import { allSent, checkStory, RECOVERS_WITHIN_MS, type SteadySends, sendSteadily } from '../support/steady-sends.ts'
import { tamperSyncs } from '../support/tamper-syncs.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { assertWhole } from '../support/whole.ts'

// Apart, because a database knows one store.
const [withFiles, withS3] = [await prepareService(), await prepareService()]

const uploadTo = async ({ url }: TestService, { key, mailboxId }: TestTenant) =>
  (
    await call(url, 'POST', '/v1/attachments', {
      key,
      body: { mailboxId, filename: 'a.txt', mediaType: 'text/plain', contentBase64: 'aGVsbG8=' },
      headers: { 'idempotency-key': newId() },
    })
  ).status

const mailTo = async ({ smtpPort }: TestService, { address }: TestTenant) =>
  (await handIn(smtpPort, 'someone@example.test', [address], `Subject: ${newId()}\r\n\r\ntext\r\n`)).last

/** While the store is away. */
async function assertPutOff(service: TestService, tenant: TestTenant): Promise<void> {
  const [status, said] = await Promise.all([uploadTo(service, tenant), mailTo(service, tenant)])
  assert.equal(status, 503)
  assert.match(said, /^451 4\.3\.0/)
  assert.equal((await fetch(`${service.opsUrl}/readyz`)).status, 503)
}

/** When it is back. */
async function assertWell(
  { database, sink }: UnderFault,
  store: ObjectStore,
  service: TestService,
  tenant: TestTenant,
  sends: SteadySends,
): Promise<void> {
  await allSent(database, tenant, sends.taken.length)
  assert.equal(await checkStory(database, tenant, sends.taken, sink.mails), 0)
  await until('files are taken', async () => (await uploadTo(service, tenant)) === 201, RECOVERS_WITHIN_MS)
  await until('mail is taken', async () => (await mailTo(service, tenant)).startsWith('250'), RECOVERS_WITHIN_MS)
  assert.equal(await service.stop(), 0)
  await assertWhole(database, store)
}

test('a disk that cannot make bytes durable has mail put off, and nothing acknowledged that is not kept', {
  skip: skipWithout('strace'),
}, async () => {
  const under = withFiles
  const tenant = await createTestTenant(under.database)
  const service = await startService(under.env)
  const before = sendSteadily(() => service.url, tenant, 10)
  await before.done
  const end = await tamperSyncs(service.child, 'error=EIO')
  const sends = sendSteadily(() => service.url, tenant, 20)
  await sends.done
  await assertPutOff(service, tenant)
  await end()
  sends.taken.push(...before.taken)
  await assertWell(under, await openFileStore(join(under.dataDir, 'objects')), service, tenant, sends)
})

test('connections to a store that fall silent for good are given up in time, and new ones take their place', {
  skip: skipWithout('swift-proxy'),
}, async () => {
  const under = withS3
  const tenant = await createTestTenant(under.database)
  const server = await startS3()
  const direct = readS3Location(server.urlOf('faults'))
  const { port } = new URL(direct.endpoint as string)
  const proxy = await startTcpProxy(Number(port))
  const service = await startService({
    ...under.env,
    ...S3_CREDENTIALS,
    MDK_OBJECT_STORE: server.urlOf('faults').replace(port, `${proxy.port}`),
  })
  const sends = sendSteadily(() => service.url, tenant, 60)
  await until('some are stored', () => under.sink.mails.length > 10)
  proxy.hang()
  await sends.done
  await assertPutOff(service, tenant)
  proxy.abandon()
  await assertWell(under, await openS3Store(direct), service, tenant, sends)
})
