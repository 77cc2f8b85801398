// Ten thousand open connections: the API answers beside them, memory stays bounded, and what is beyond is turned away.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { openFilesLimit } from '../../src/lib/open-files.ts'
import { call, send } from '../support/api.ts'
import { startService, type TestService } from '../support/service.ts'
import { prepareService } from '../support/service-under-fault.ts'
import { allSent, RECOVERS_WITHIN_MS } from '../support/steady-sends.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

/** What one process of the service holds open at most. */
const MOST = 10_000
const AT_ONCE = 500
const MOST_GROWTH_MIB = 300

const under = await prepareService()
const tenant = await createTestTenant(under.database)
const body = { fromMailboxId: tenant.mailboxId, to: ['someone@example.test'], text: 'Hello' }
const REQUEST = 'GET /v1/nothing HTTP/1.1\r\nhost: test\r\n\r\n'
const sockets = new Set<Socket>()
const closeAll = () => {
  for (const socket of sockets) socket.destroy()
}
after(closeAll)

/**
 * Opens so many at once from an address, which say this and wait. Those that are refused or cut are no longer in
 * `sockets`.
 */
function openTogether(
  { url }: TestService,
  count: number,
  words: string,
  localAddress = '127.0.0.1',
): Promise<unknown> {
  const open = () => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress })
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
    socket.resume()
    // One that the kernel had no room for looks open until something goes over it.
    socket.setKeepAlive(true, 1_000)
    socket.write(words)
    // An answer, the connection itself where there will be none, or the end, which may come as an error.
    return Promise.race([once(socket, words === '' ? 'connect' : 'data'), once(socket, 'close')]).catch(() => {})
  }
  return Promise.all(Array.from({ length: count }, open))
}

async function residentMiB({ opsUrl }: TestService): Promise<number> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]) / 1024 / 1024
}

/** The answer to a connection of its own. */
const askAnew = ({ url }: TestService) =>
  call(url, 'GET', '/v1/mailboxes', { key: tenant.key, headers: { connection: 'close' } })

/** Both ends of each connection are files, and one of them is in this process. */
function skipWithoutFiles(): string | false {
  if (openFilesLimit() > MOST * 1.2 || process.env.CI === 'true') return false
  process.stderr.write(`TESTS SKIPPED: they need ${MOST * 1.2} open files (ulimit -n)\n`)
  return 'needs more open files'
}

test('a process answers beside 10,000 idle connections, and bears those beyond', {
  skip: skipWithoutFiles(),
}, async () => {
  const service = await startService(under.env)
  const before = await residentMiB(service)
  for (let n = AT_ONCE; n < MOST; n += AT_ONCE) {
    await openTogether(service, AT_ONCE, REQUEST, n <= MOST / 2 ? '127.0.0.2' : '127.0.0.1')
  }
  assert.equal(sockets.size, MOST - AT_ONCE)
  assert.equal((await askAnew(service)).status, 200)
  await openTogether(service, 2 * AT_ONCE, '', '127.0.0.3')
  await until('those beyond are turned away', () => sockets.size <= MOST)
  assert.equal((await fetch(`${service.opsUrl}/readyz`)).status, 200)
  const growth = (await residentMiB(service)) - before
  assert(growth < MOST_GROWTH_MIB, `grew by ${growth} MiB`)
  closeAll()
  await until('it takes others again', () => askAnew(service).catch(() => undefined))
  assert.equal(await service.stop(), 0)
})

/** So few that all of them are soon taken: half of them, 512, are for connections. */
const FEW_FILES = ['prlimit', '--nofile=1024:1024']

test('a process that may open few files keeps half of them for its work', {
  skip: process.platform !== 'linux' && 'needs prlimit',
}, async () => {
  const service = await startService(under.env, ['serve'], FEW_FILES)
  for (const address of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) await openTogether(service, 500, '', address)
  await until('those beyond are turned away', () => sockets.size <= 512)
  await until('the silent ones are cut off', () => sockets.size === 0, RECOVERS_WITHIN_MS)
  for (let n = 0; n < 20; n++) assert.equal((await send(service.url, tenant.key, body)).status, 202)
  await allSent(under.database, tenant, 20)
  assert.equal(await service.stop(), 0)
  await under.assertWhole()
})

test('one address takes half of the connections and no more', {
  skip: process.platform !== 'linux' && 'needs prlimit',
}, async () => {
  const service = await startService(under.env, ['serve'], FEW_FILES)
  await openTogether(service, 600, REQUEST, '127.0.0.2')
  await until('those beyond are turned away', () => sockets.size <= 256)
  assert.equal(sockets.size, 256)
  assert.equal((await askAnew(service)).status, 200)
  await openTogether(service, 100, REQUEST, '127.0.0.3')
  assert.equal(sockets.size, 356)
  closeAll()
  assert.equal(await service.stop(), 0)
})

test('a proxy, and who is named as not counted, takes all of them', {
  skip: process.platform !== 'linux' && 'needs prlimit',
}, async () => {
  for (const name of ['MDK_TRUSTED_PROXIES', 'MDK_IP_ALLOW']) {
    const service = await startService({ ...under.env, [name]: '127.0.0.2' }, ['serve'], FEW_FILES)
    await openTogether(service, 400, REQUEST, '127.0.0.2')
    assert.equal(sockets.size, 400, name)
    closeAll()
    assert.equal(await service.stop(), 0)
  }
})
