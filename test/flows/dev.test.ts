// `mdk dev`: the first minute of whoever tries it, with the embedded PostgreSQL and everything else for real.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import { get, type OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { call, send } from '../support/api.ts'
import { mdk } from '../support/mdk.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

interface Start {
  url: string
  tenantId: string
  productionAppId: string
  sandboxAppId: string
  mailboxId: string
  liveKey: string
  consoleUrl: string
  consoleLink: string
  webmailUrl: string
  webmailLink: string
  testKey: string
  capturedUrl: string
}

const dataDir = await temporaryFolder('mdk-dev-')
after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

async function startDev(): Promise<{ service: TestService; start: Start }> {
  const service = await startService({ MDK_DATA_DIR: dataDir }, ['dev'])
  const start = await until('what it prints at the start', () => {
    return service.logs.find((line) => 'liveKey' in line) as unknown as Start | undefined
  })
  return { service, start }
}

/** The status that is answered to a request which names that host. */
function statusAs(host: string, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}

/** Invites somebody in the console, as whoever enters it by the link of the start, and has the link mailed. Gives it. */
async function inviteByMail({ consoleUrl, consoleLink }: Start, email: string): Promise<string> {
  const entered = await fetch(consoleLink, { redirect: 'manual' })
  const [cookie = ''] = entered.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  const ask = (path: string, body: unknown) =>
    fetch(consoleUrl + path, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify(body),
    })
  const { link } = (await (await ask('/data/people', { email, role: 'admin' })).json()) as { link: string }
  const token = link.slice(link.lastIndexOf('/') + 1)
  assert.equal((await ask('/data/links/mail', { kind: 'person', token })).status, 204)
  return link
}

/** The key that the reference is given by whoever asks with these headers. */
function keyGiven(url: string, headers: OutgoingHttpHeaders): Promise<string | null> {
  return new Promise((resolve, reject) => {
    get(`${url}/docs/key`, { headers }, (response) => {
      json(response).then((answer) => resolve((answer as { key: string | null }).key), reject)
    }).on('error', reject)
  })
}

test('what it prints works, mail can be looked at, and the next start keeps the data and the keys', async () => {
  const first = await startDev()
  const { url, mailboxId, liveKey, testKey, capturedUrl } = first.start
  const body = {
    fromMailboxId: mailboxId,
    to: ['you@example.com'],
    subject: 'Hello <script>alert(1)</script>',
    text: 'It works.',
    html: '<img src=x onerror=alert(1)>',
  }
  const { status, body: queued } = await send(url, liveKey, body)
  assert.equal(status, 202)
  const message = await until('it is sent', async () => {
    const answer = await call(url, 'GET', `/v1/messages/${queued.id}`, { key: liveKey })
    return answer.body.message.status === 'sent' && answer.body.message
  })
  assert.equal(message.recipients[0].status, 'sent')

  assert.equal((await stat(join(dataDir, 'captured'))).mode & 0o077, 0, 'nobody else reads it')
  const list = await fetch(capturedUrl)
  const page = await list.text()
  assert.match(page, /you@example.com/)
  assert.doesNotMatch(page, /<script>/, 'hostile mail is shown as text')
  assert.match(list.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
  const name = /\/captured\/([0-9a-f-]+\.eml)/.exec(page)?.[1]
  const mail = await (await fetch(`${capturedUrl}/${name}`)).text()
  assert.doesNotMatch(mail, /<img src=x/)
  assert.match(await (await fetch(`${capturedUrl}/${name}/source`)).text(), /^DKIM-Signature: .*^Message-ID: </ms)
  for (const path of ['../secret-keys', '..%2fsecret-keys', 'x.eml', `${name}/other/more`]) {
    assert.equal((await fetch(`${capturedUrl}/${path}`)).status, 404, path)
  }

  for (const [host, status] of [
    ['evil.test', 421],
    [`evil.test:${new URL(capturedUrl).port}`, 421],
    [`localhost:${new URL(capturedUrl).port}`, 200],
  ] as const) {
    for (const path of ['', `/${name}`, `/${name}/source`]) {
      assert.equal(await statusAs(host, capturedUrl + path), status, `${host} ${path}`)
    }
  }

  assert.equal(await keyGiven(url, {}), liveKey, 'the reference can be tried at this machine')
  for (const headers of [{ host: 'evil.test' }, { host: '192.0.2.7' }, { 'x-forwarded-for': '192.0.2.7' }]) {
    assert.equal(await keyGiven(url, headers), null, JSON.stringify(headers))
  }

  const simulated = await send(url, testKey, { ...body, to: ['bounced@example.com'] })
  await until('the sandbox bounced it', async () => {
    const answer = await call(url, 'GET', `/v1/messages/${simulated.body.id}`, { key: testKey })
    return answer.body.message.status === 'bounced'
  })
  assert.equal((await call(url, 'GET', `/v1/messages/${simulated.body.id}`, { key: liveKey })).status, 404)

  const { consoleUrl, consoleLink, webmailUrl, webmailLink } = first.start
  assert.match(consoleLink, new RegExp(`^${consoleUrl}/enter/[A-Za-z0-9_-]{43}$`))
  assert.match(webmailLink, new RegExp(`^${webmailUrl}/enter/[A-Za-z0-9_-]{43}$`))
  for (const site of [consoleUrl, webmailUrl]) assert.equal((await fetch(`${site}/data/session`)).status, 401)

  const link = await inviteByMail(first.start, 'invited@example.com')
  await until('the invitation is among the captured mail', async () => {
    const names = [...(await (await fetch(capturedUrl)).text()).matchAll(/\/captured\/([0-9a-f-]+\.eml)/g)]
    const pages = names.map(async ([, eml]) => (await fetch(`${capturedUrl}/${eml}`)).text())
    return (await Promise.all(pages)).some((shown) => shown.includes('notices@demo.test') && shown.includes(link))
  })

  const { tenantId, productionAppId, sandboxAppId } = first.start
  for (const args of [
    ['events', 'trigger', '--app', sandboxAppId, '--type', 'message.delivered'],
    ['key', 'list', '--app', productionAppId],
    ['mailbox', 'create', '--tenant', tenantId, '--address', 'other@demo.test', '--name', 'Other'],
  ]) {
    const outcome = await mdk({ MDK_DATA_DIR: dataDir }, ...args)
    assert.equal(outcome.status, 0, `${args.join(' ')}: ${outcome.stderr}`)
  }

  const beside = await mdk({ MDK_DATA_DIR: dataDir }, 'audit', 'list', '--limit', '1')
  assert.equal(beside.status, 0, 'another command works at the same time')
  assert.equal((await call(url, 'GET', '/v1/mailboxes', { key: liveKey })).status, 200, 'and leaves the server running')

  const another = await mdk({ MDK_DATA_DIR: dataDir }, 'dev')
  assert.equal(another.status, 1)
  assert.match(another.stderr, /runs already/)
  assert.equal((await call(url, 'GET', '/v1/mailboxes', { key: liveKey })).status, 200, 'and the keys still work')

  assert.equal(await first.service.stop(), 0)
  assert(!existsSync(join(dataDir, 'postgres/postmaster.pid')), 'PostgreSQL ended with it')

  const second = await startDev()
  assert.deepEqual(idsOf(second.start), idsOf(first.start))
  assert.notEqual(second.start.consoleLink, consoleLink)
  const again = await call(second.start.url, 'GET', `/v1/messages/${queued.id}`, { key: liveKey })
  assert.equal(again.body.message.status, 'sent')
  assert.equal((await call(second.start.url, 'GET', '/v1/mailboxes', { key: testKey })).status, 200)
  assert.equal((await stat(join(dataDir, 'dev-keys'))).mode & 0o777, 0o600, 'nobody else reads the keys')
  await second.service.kill()

  const third = await startDev()
  assert.deepEqual(idsOf(third.start), idsOf(first.start), 'whatever ended the one before')
  const env = { MDK_DATA_DIR: dataDir }
  assert.equal((await mdk(env, 'key', 'revoke', liveKey.slice(0, 15))).status, 0)
  const found = await mdk(env, 'key', 'list', '--app', productionAppId)
  assert(!found.stdout.includes(liveKey.slice(31)), 'the database does not know them')
  assert.equal(await third.service.stop(), 0)

  const fourth = await startDev()
  assert.notEqual(fourth.start.liveKey, liveKey, 'one that was revoked is replaced')
  assert.equal(fourth.start.testKey, testKey)
  assert.equal((await call(fourth.start.url, 'GET', '/v1/mailboxes', { key: fourth.start.liveKey })).status, 200)
  assert.equal(await fourth.service.stop(), 0)
  await writeFile(join(dataDir, 'dev-keys'), '{"live":')
  const fifth = await startDev()
  assert.equal((await call(fifth.start.url, 'GET', '/v1/mailboxes', { key: fifth.start.testKey })).status, 200)
  assert.equal((await call(fifth.start.url, 'GET', '/v1/mailboxes', { key: testKey })).status, 401, 'lost keys end')
  assert.equal(await fifth.service.stop(), 0)
})

const idsOf = ({ tenantId, productionAppId, sandboxAppId, mailboxId, liveKey, testKey }: Start) => {
  return { tenantId, productionAppId, sandboxAppId, mailboxId, liveKey, testKey }
}

test('a data folder that cannot be made is reported', async () => {
  const outcome = await mdk({ MDK_DATA_DIR: '/proc/none' }, 'dev')
  assert.equal(outcome.status, 1)
  assert.match(outcome.stderr, /the folder \/proc\/none cannot be made/)
})

test('asked to stop while it still starts, twice as by npm, it ends well and leaves no PostgreSQL behind', async () => {
  const service = await startService({ MDK_DATA_DIR: dataDir }, ['dev'])
  assert(!service.logs.some((line) => 'liveKey' in line), 'it is not done yet')
  const stopped = service.stop()
  await until('it has heard', () => service.logs.some(({ msg }) => msg === 'stopping'))
  service.child.kill('SIGINT')
  assert.equal(await stopped, 0)
  assert(!existsSync(join(dataDir, 'postgres/postmaster.pid')))
})

test('npm start is the service: a SIGTERM to it ends everything, with status 0', async () => {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: new URL('../..', import.meta.url).pathname,
    env: {
      ...process.env,
      MDK_DATA_DIR: dataDir,
      MDK_PORT: '0',
      MDK_OPS_PORT: '0',
      MDK_SMTP_PORT: '0',
      MDK_CONSOLE_PORT: '0',
      MDK_WEBMAIL_PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const { pid } = child
  assert(pid)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  after(() => {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The whole group is gone, as it should be.
    }
  })
  let start: Start | undefined
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('liveKey')) start = JSON.parse(line)
  })
  const { url, liveKey } = await until('it has printed its keys', () => start)
  assert.equal((await call(url, 'GET', '/v1/mailboxes', { key: liveKey })).status, 200)
  process.kill(pid, 'SIGTERM')
  assert.equal(await exited, 0)
  assert(!existsSync(join(dataDir, 'postgres/postmaster.pid')), 'PostgreSQL ended with it')
  await assert.rejects(fetch(url))
})
