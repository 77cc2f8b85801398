// `mdk dev`: the first minute of whoever tries it, with the embedded PostgreSQL and everything else for real.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import { get, type OutgoingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import type { ShownCapture } from '../../src/dev/captured/schemas.ts'
import { call, send } from '../support/api.ts'
import { assertPagesLookGood, DESK, LOOKS, useBrowser } from '../support/browser.ts'
import { mdk } from '../support/mdk.ts'
import { PASSWORD } from '../support/people.ts'
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

type Ask = (path: string, body?: unknown) => Promise<Response>

/** Asks the console for data, as whoever enters it by the link of the start. */
async function enterConsole({ consoleUrl, consoleLink }: Start): Promise<Ask> {
  const entered = await fetch(consoleLink, { redirect: 'manual' })
  const [cookie = ''] = entered.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return (path, body) =>
    fetch(consoleUrl + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin', ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body === undefined ? null : JSON.stringify(body),
    })
}

/** Invites somebody, and has the link mailed. Gives it. */
async function inviteByMail(ask: Ask, email: string): Promise<string> {
  const { link } = (await (await ask('/data/people', { email, role: 'admin' })).json()) as { link: string }
  const token = link.slice(link.lastIndexOf('/') + 1)
  assert.equal((await ask('/data/links/mail', { kind: 'person', token })).status, 204)
  return link
}

async function capturesSeenBy(ask: Ask): Promise<ShownCapture[]> {
  const { items } = (await (await ask('/data/captured')).json()) as { items: { id: string }[] }
  const shown = items.map(async ({ id }) => (await ask(`/data/captured/${id}`)).json())
  return (await Promise.all(shown)) as ShownCapture[]
}

/** As mail is written. */
const HTML = `<h2>In <em>HTML</em></h2><img src="https://stranger.test/pixel.png">
<table border="1"><tr><td>One</td><td>Two</td></tr><tr><td colspan="2" bgcolor="#ffcc00">Sum</td></tr></table>
${'<table><tr><td>'.repeat(100)}Innermost`

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

  assert.equal(capturedUrl, `${first.start.consoleUrl}/captured`)
  for (const path of ['/data/captured', `/data/captured/${queued.id}`]) {
    assert.equal((await fetch(first.start.consoleUrl + path)).status, 401, `${path} without a session`)
  }
  assert.equal((await fetch(`${first.service.opsUrl}/captured`)).status, 404)
  const ask = await enterConsole(first.start)
  const [capture] = await capturesSeenBy(ask)
  assert(capture)
  assert.deepEqual([capture.subject, capture.recipients], [body.subject, body.to])
  assert.match(capture.sender, /@bounce\.test$/)
  assert.equal(capture.messageId, queued.id)
  assert.deepEqual([capture.content.text?.trim(), capture.content.html?.trim()], [body.text, body.html])
  const raw = await ask(`/data/captured/${capture.id}/raw`)
  assert.equal(raw.headers.get('content-type'), 'message/rfc822')
  assert.match(raw.headers.get('content-disposition') ?? '', /^attachment/)
  const source = (await (await ask(`/data/captured/${capture.id}/source`)).json()) as { text: string }
  assert.equal(source.text, await raw.text())
  assert.match(source.text, /^DKIM-Signature: .*^Message-ID: </ms)
  for (const [path, status] of [
    [queued.id, 404],
    ['..%2fsecret-keys', 404],
    [`${capture.id}/file?part=1`, 404],
    [`${capture.id}/file?part=..%2f..%2fsecret-keys`, 404],
    [`${capture.id}/other`, 404],
  ] as const) {
    assert.equal((await ask(`/data/captured/${path}`)).status, status, path)
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

  const link = await inviteByMail(ask, 'invited@example.com')
  const invitation = await until('the invitation is among the captured mail', async () => {
    return (await capturesSeenBy(ask)).find(({ content }) => content.text?.includes(link))
  })
  assert.deepEqual([invitation.from?.address, invitation.messageId], ['notices@demo.test', null])

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

describe('in a browser', { skip: skipWithout('chromium-headless-shell') }, () => {
  const open = useBrowser()

  test('mail shows in the console when it is sent, as mail is, with its files and its source', async () => {
    const { service, start } = await startDev()
    const { url, liveKey, mailboxId, consoleLink, consoleUrl } = start
    const opened = await open(consoleUrl, { viewport: DESK })
    const { page, context, complaints } = opened
    await page.goto(`${consoleLink}?to=/captured`)
    await page.getByRole('heading', { level: 1, name: 'Captured mail' }).waitFor()

    const contentBase64 = Buffer.from('one,two').toString('base64')
    const file = await call(url, 'POST', '/v1/attachments', {
      key: liveKey,
      headers: { 'idempotency-key': 'the figures of May' },
      body: { mailboxId, filename: 'figures.csv', mediaType: 'text/csv', contentBase64 },
    })
    const sent = await send(url, liveKey, {
      ...{ fromMailboxId: mailboxId, to: ['ada@example.com'], bcc: ['grace@example.com'], subject: 'Figures of May' },
      ...{ text: 'In plain words.', html: HTML },
      attachmentIds: [file.body.attachment.id],
    })
    assert.equal(sent.status, 202, JSON.stringify(sent.body))
    await page.getByRole('link', { name: 'Figures of May' }).click()
    await page.frameLocator('iframe.mail-html').getByRole('heading', { name: 'In HTML' }).waitFor()
    await page.getByText('1 image is not shown').waitFor()
    const cell = page.frameLocator('iframe.mail-html').getByRole('cell', { name: 'Sum', exact: true })
    assert.equal(await cell.getAttribute('colspan'), '2')
    assert.equal(await cell.getAttribute('bgcolor'), '#ffcc00')
    // Tables within tables, of which a browser lays out so many only.
    await page.frameLocator('iframe.mail-html').getByText('Innermost').waitFor()
    const tables = await page.frameLocator('iframe.mail-html').locator('table').count()
    assert(tables > 40 && tables <= 51, `${tables} tables`)
    await page.getByText('ada@example.com, grace@example.com').waitFor()
    const pending = page.waitForEvent('download')
    await page.getByRole('link', { name: 'figures.csv' }).click()
    const chunks = await (await (await pending).createReadStream()).toArray()
    assert.equal(Buffer.concat(chunks).toString(), 'one,two')
    await page.getByRole('button', { name: 'Text' }).click()
    await page.getByText('In plain words.').waitFor()
    const path = new URL(page.url()).pathname
    await page.getByRole('link', { name: 'Source' }).click()
    await page.getByText('DKIM-Signature: v=1').waitFor()
    await page.getByRole('link', { name: 'What became of it' }).click()
    await page.waitForURL(`${consoleUrl}/messages/${sent.body.id}`)
    await page.getByRole('heading', { name: 'Figures of May' }).waitFor()

    // The link of the start was used up, and leads there all the same.
    await page.goto(`${consoleLink}?to=/messages/${sent.body.id}?view=content`)
    await page.frameLocator('iframe.mail-html').getByRole('heading', { name: 'In HTML' }).waitFor()
    assert.deepEqual(complaints, [])

    // An Admin who was given the address reads whose it is.
    const invited = await open(consoleUrl, { viewport: DESK })
    const invitation = await page.evaluate(async () => {
      const body = JSON.stringify({ email: 'admin@example.com', role: 'admin' })
      const headers = { 'content-type': 'application/json' }
      return (await (await fetch('/data/people', { method: 'POST', headers, body })).json()) as { link: string }
    })
    await invited.page.goto(invitation.link)
    await invited.page.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await invited.page.getByLabel('New password, once more').fill(PASSWORD)
    await invited.page.getByRole('button', { name: 'Accept and sign in' }).click()
    await invited.page.waitForURL(`${consoleUrl}/`)
    for (const captured of ['/captured', path]) {
      await invited.page.goto(captured)
      await invited.page.getByRole('heading', { name: 'Owners see captured mail' }).waitFor()
    }
    assert.deepEqual(invited.complaints, [])
    await invited.context.close()

    for (const look of LOOKS) {
      await page.setViewportSize(look.viewport)
      await page.emulateMedia({ colorScheme: look.colorScheme })
      await assertPagesLookGood(opened, look, ['/captured', path, `${path}?view=source`])
    }
    await context.close()
    assert.equal(await service.stop(), 0)
  })
})

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
