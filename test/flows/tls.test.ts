// Listeners that speak HTTPS themselves: what they speak, what they say to whoever does not, and certificates that are
// exchanged while they run.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { Agent, type RequestOptions } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ConnectionOptions, type TLSSocket, connect as tlsConnect } from 'node:tls'
import { makeSelfSignedCertificate } from '../../src/servers/smtp/self-signed-certificate.ts'
import { createTestDatabase } from '../support/database.ts'
import { askHttps } from '../support/https.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const folder = await temporaryFolder('mdk-tls-')
const files = { cert: join(folder, 'live/fullchain.pem'), key: join(folder, 'live/privkey.pem') }
let generation = 0

/** As certbot does: files of a generation, to which links lead that are replaced one after the other. */
async function renew(change: Partial<{ cert: string; key: string }> = {}): Promise<void> {
  generation += 1
  const pair = { ...makeSelfSignedCertificate(`mail${generation}.test`, new Date()), ...change }
  await mkdir(join(folder, 'live'), { recursive: true })
  for (const name of ['cert', 'key'] as const) {
    const target = join(folder, `${name}${generation}.pem`)
    await writeFile(target, pair[name])
    await symlink(target, `${files[name]}.new`)
    await rename(`${files[name]}.new`, files[name])
  }
}
await renew()

const { url } = await createTestDatabase()
const service = await startService(
  { MDK_DATABASE_URL: url, MDK_DATA_DIR: folder, MDK_TLS_CERT: files.cert, MDK_TLS_KEY: files.key },
  ['serve', '--roles', 'api,console,webmail,inbound'],
)
const ready = service.logs.find(({ msg }) => msg === 'ready')
const places = { api: service.url, console: String(ready?.consoleUrl), webmail: String(ready?.webmailUrl) }

const ask = (origin: string, path: string, options: RequestOptions = {}) =>
  askHttps(Number(new URL(origin).port), path, options)

async function shakeHands(options: ConnectionOptions = {}): Promise<TLSSocket> {
  const port = Number(new URL(service.url).port)
  const socket = tlsConnect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options })
  await once(socket, 'secureConnect')
  return socket
}

async function shownNow(): Promise<string | undefined> {
  const socket = await shakeHands()
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return String(subject.CN)
}

const metric = async (name: string, use: string) => {
  const text = await (await fetch(`${service.opsUrl}/metrics`)).text()
  return Number(new RegExp(`^${name}\\{use="${use}"\\} (.+)$`, 'm').exec(text)?.[1])
}

test('API, console and webmail speak HTTPS and have browsers keep to it', async () => {
  for (const [name, origin] of Object.entries(places)) {
    assert.equal(new URL(origin).protocol, 'https:', name)
    const answer = await ask(origin, name === 'api' ? '/docs' : '/sign-in')
    assert.equal(answer.status, 200, name)
    assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000', name)
  }
  assert.equal((await ask(service.url, '/v1/messages')).status, 401)
})

test('a page of ours that is known by its Origin alone is ours by https, and not by http', async () => {
  const { host } = new URL(places.console)
  const send = (origin: string) =>
    ask(places.console, '/sign-in', { method: 'POST', headers: { host, origin, 'content-length': '0' } })
  assert.equal((await send(`http://${host}`)).status, 403)
  assert.notEqual((await send(`https://${host}`)).status, 403)
})

test('TLS before 1.2 and suites without forward secrecy are refused, HTTP/1.1 is chosen', async () => {
  const newest = await shakeHands({ ALPNProtocols: ['h2', 'http/1.1'] })
  assert.equal(newest.getProtocol(), 'TLSv1.3')
  assert.equal(newest.alpnProtocol, 'http/1.1')
  newest.destroy()
  const least = await shakeHands({ maxVersion: 'TLSv1.2' })
  assert.equal(least.getProtocol(), 'TLSv1.2')
  least.destroy()
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  await assert.rejects(shakeHands(old))
  await assert.rejects(shakeHands({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-SHA' }))
})

test('whoever speaks plain HTTP to it is told so in words', async () => {
  for (const origin of Object.values(places)) {
    const answer = await fetch(origin.replace('https:', 'http:').replace('localhost', '127.0.0.1'))
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /speaks HTTPS/)
    assert.equal(answer.headers.get('strict-transport-security'), null)
  }
})

test('STARTTLS shows the same certificate', async () => {
  const socket = connect(service.smtpPort, '127.0.0.1')
  await once(socket, 'data')
  socket.write('EHLO client.test\r\n')
  await once(socket, 'data')
  socket.write('STARTTLS\r\n')
  await once(socket, 'data')
  const secure = tlsConnect({ socket, rejectUnauthorized: false })
  await once(secure, 'secureConnect')
  assert.equal(secure.getPeerCertificate().subject.CN, await shownNow())
  secure.destroy()
})

test('a renewed certificate is shown at once, and who is connected stays so', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const before = await ask(service.url, '/docs', { agent })
  assert.equal(before.status, 200)
  const [kept] = Object.values(agent.freeSockets).flat()
  await renew()
  await until('the new one is shown', async () => (await shownNow()) === `mail${generation}.test`)
  assert.equal((await ask(service.url, '/docs', { agent })).status, 200)
  assert.equal(Object.values(agent.freeSockets).flat()[0], kept, 'over the same connection')
  agent.destroy()
  await until('both uses say so', () => service.logs.filter(({ msg }) => /was renewed/.test(msg)).length === 2)
})

test('files that are no pair are not taken: the former stays, and log and metrics say so until it is mended', async () => {
  const former = await shownNow()
  const goodUntil = await metric('mdk_tls_certificate_expires_at_seconds', 'http')
  assert.ok(goodUntil > Date.now() / 1000)
  await renew({ key: makeSelfSignedCertificate('other.test', new Date()).key })
  await until('the log says so', () => service.logs.some(({ fault }) => /is not that of/.test(String(fault))))
  assert.equal(await shownNow(), former)
  assert.equal(await metric('mdk_tls_certificate_refused', 'http'), 1)
  assert.equal(await metric('mdk_tls_certificate_expires_at_seconds', 'http'), goodUntil)
  await renew()
  service.child.kill('SIGHUP')
  await until('the next one is shown', async () => (await shownNow()) === `mail${generation}.test`)
  assert.equal(await metric('mdk_tls_certificate_refused', 'http'), 0)
})

test('connections that say nothing, before or after the handshake, hold up no stop', async () => {
  const { port } = new URL(service.url)
  const silent = connect(Number(port), '127.0.0.1')
  await once(silent, 'connect')
  const shaken = await shakeHands()
  const agent = new Agent({ keepAlive: true })
  await ask(service.url, '/docs', { agent })
  const closed = [silent, shaken].map((socket) =>
    once(
      socket.resume().on('error', () => {}),
      'close',
    ),
  )
  const began = performance.now()
  assert.equal(await service.stop(), 0)
  assert.ok(performance.now() - began < 20_000, 'when everything that is open would be cut')
  await Promise.all(closed)
})
