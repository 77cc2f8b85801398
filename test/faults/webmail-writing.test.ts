// Processes of the webmail that are killed while somebody writes: what was answered is there, what was not is whole or not there, and can
// be asked again; what was sent is one mail.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { createTestDatabase } from '../support/database.ts'
import { draftOf, fallDue, tracesOf } from '../support/drafts.ts'
import { createTestMailboxUser, type TestUser } from '../support/people.ts'
import { TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { startService, type TestService } from '../support/service.ts'
import { proxyDatabase } from '../support/service-under-fault.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { RECOVERS_WITHIN_MS } from '../support/steady-sends.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { makePlace } from '../support/webmail-mail.ts'

const { database, url } = await createTestDatabase({ alone: true })
const folder = await temporaryFolder('webmail-writing-')
const sink = await startSmtpSink()
after(async () => {
  await sink.stop()
  await rm(folder, { recursive: true, force: true })
})

const start = (databaseUrl = url, roles = 'webmail,outbound,retention') =>
  startService(
    {
      ...{ MDK_DATABASE_URL: databaseUrl, MDK_OBJECT_STORE: `file:${folder}`, MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT },
      ...{
        MDK_RELAY_URL: sink.url,
        MDK_RETURN_PATH_DOMAIN: 'bounce.test',
        MDK_LEASE: '10s',
        MDK_POLL: '100ms',
        MDK_SWEEP: '100ms',
      },
    },
    ['serve', '--roles', roles],
  )

const portOf = ({ logs }: TestService) => new URL(String(logs.find(({ msg }) => msg === 'ready')?.webmailUrl)).port

const headersOf = (user: TestUser) => ({
  cookie: `__Host-mdk_webmail=${user.session.cookie}`,
  'sec-fetch-site': 'same-origin',
})

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: JSON of whatever shape is asked for.
  body: any
}

/** `undefined`: the connection broke off. */
async function ask(
  service: TestService,
  user: TestUser,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${portOf(service)}${path}`, {
      method,
      headers: { ...headersOf(user), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, body: text ? JSON.parse(text) : undefined }
  } catch {
    return undefined
  }
}

async function mustAsk(...asked: Parameters<typeof ask>): Promise<Answer> {
  return (await ask(...asked)) ?? assert.fail('the connection broke off')
}

test('drafts that are saved while the process is killed: each save that was answered is there, and the next goes on from it', async () => {
  const { tenant, user } = await makePlace(database)
  let service = await start()
  const writers = Array.from({ length: 6 }, () => ({ id: newId(), version: 0 }))
  const contentOf = (id: Uuid, version: number) =>
    draftOf(tenant.mailboxId, { subject: `${id} ${version}`, body: `<p>${`${version} `.repeat(5_000)}</p>` })
  for (const kill of [1, 2]) {
    let isOver = false
    const writing = writers.map(async (writer) => {
      while (!isOver) {
        const next = writer.version + 1
        const body = { baseVersion: writer.version, ...contentOf(writer.id, next) }
        const saved = await ask(service, user, 'PUT', `/data/drafts/${writer.id}`, body)
        if (!saved) return
        assert.deepEqual([saved.status, saved.body.version], [200, next])
        writer.version = next
      }
    })
    await until('all have saved some', () => writers.every(({ version }) => version >= 5 * kill))
    await service.kill()
    isOver = true
    await Promise.all(writing)
    service = await start()
    for (const writer of writers) {
      const { body } = await mustAsk(service, user, 'GET', `/data/drafts/${writer.id}`)
      assert([writer.version, writer.version + 1].includes(body.version), `${body.version} after ${writer.version}`)
      assert.equal(body.subject, `${writer.id} ${body.version}`)
      assert.equal(body.body, contentOf(writer.id, body.version).body)
      // Whoever had no answer asks once more.
      const next = writer.version + 1
      const again = { baseVersion: writer.version, ...contentOf(writer.id, next) }
      const saved = await mustAsk(service, user, 'PUT', `/data/drafts/${writer.id}`, again)
      assert.deepEqual([saved.status, saved.body.version], [200, next])
      writer.version = next
    }
  }
  await service.kill()
})

test('files that are on their way when the process is killed are not there, and go on under the same key', async () => {
  const { tenant, user } = await makePlace(database)
  const files = Array.from({ length: 3 }, () => ({ key: newId(), bytes: randomBytes(400_000) }))
  let service = await start()
  const begin = ({ key, bytes }: (typeof files)[number]) =>
    mustAsk(service, user, 'POST', '/data/uploads', {
      ...{ key, mailboxId: tenant.mailboxId, filename: 'a.bin', mediaType: 'application/octet-stream' },
      ...{ sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    })
  const put = (id: Uuid, length: number) =>
    request(`http://127.0.0.1:${portOf(service)}/data/uploads/${id}/content`, {
      method: 'PUT',
      headers: { ...headersOf(user), 'content-type': 'application/octet-stream', 'content-length': length },
    })
  const putWhole = (id: Uuid, bytes: Buffer) =>
    new Promise<number | undefined>((resolve, reject) => {
      put(id, bytes.length)
        .on('response', (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end(bytes)
    })
  const [half, whole, completed] = files as [(typeof files)[0], (typeof files)[0], (typeof files)[0]]
  const ids = await Promise.all(files.map(async (file) => (await begin(file)).body.uploadId as Uuid))
  const [halfId, wholeId, completedId] = ids as [Uuid, Uuid, Uuid]
  for (const [id, { bytes }] of [
    [wholeId, whole],
    [completedId, completed],
  ] as const) {
    assert.equal(await putWhole(id, bytes), 204)
  }
  assert.equal((await mustAsk(service, user, 'POST', `/data/uploads/${completedId}/complete`)).status, 200)
  const sending = put(halfId, half.bytes.length).on('error', () => {})
  sending.write(half.bytes.subarray(0, 200_000))
  const incoming = async () => (await readdir(join(folder, 'incoming'))).length
  await until('half of it has come', async () => (await incoming()) === 1)
  await service.kill()
  service = await start()
  await until('nothing half is left', async () => (await incoming()) === 0)
  assert.equal((await mustAsk(service, user, 'POST', `/data/uploads/${halfId}/complete`)).body.code, 'upload_missing')
  assert.equal((await begin(half)).body.uploadId, halfId)
  assert.equal(await putWhole(halfId, half.bytes), 204)
  for (const [n, id] of ids.entries()) {
    const { status, body } = await mustAsk(service, user, 'POST', `/data/uploads/${id}/complete`)
    assert.deepEqual([status, body.id], [200, id])
    const answer = await fetch(`http://127.0.0.1:${portOf(service)}/data/attachments/${id}/content`, {
      headers: headersOf(user),
    })
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), files[n]?.bytes)
  }
  assert.deepEqual((await begin(completed)).body.attachment.id, completedId)
  await service.kill()
  for (const check of await checkInvariants(database, await openFileStore(folder))) {
    assert.equal(check.result, 'ok', JSON.stringify(check))
  }
})

test('drafts sent by two users over two processes at once, one of which is killed, are one mail each', async () => {
  const { tenant, user } = await makePlace(database)
  const other = await createTestMailboxUser(database, tenant.tenantId, tenant.mailboxId)
  const services = [await start(), await start()] as [TestService, TestService]
  const subjects = Array.from({ length: 24 }, (_, n) => `Sent once ${n} ${newId()}`)
  const drafts = await Promise.all(
    subjects.map(async (subject) => {
      const body = { baseVersion: 0, ...draftOf(tenant.mailboxId, { subject }) }
      return (await mustAsk(services[0], user, 'PUT', `/data/drafts/${newId()}`, body)).body as {
        id: Uuid
        messageId: Uuid
      }
    }),
  )
  const send = (service: TestService, who: TestUser, id: Uuid) =>
    ask(service, who, 'POST', `/data/drafts/${id}/send`, { version: 1 })
  const answers = await Promise.all(
    drafts.map(async ({ id }) => {
      const pressed = [send(services[0], user, id), send(services[1], other, id), send(services[1], user, id)]
      return (await Promise.all(pressed)).map((answer) => [answer?.status, answer?.body])
    }),
  )
  for (const [n, [first, ...others]] of answers.entries()) {
    assert.equal(first?.[0], 200, JSON.stringify(first?.[1]))
    assert.equal(first?.[1].messageId, drafts[n]?.messageId)
    for (const answer of others) assert.deepEqual(answer, first)
  }
  for (const { id } of drafts) await fallDue(database, id)
  await until('the first of them are sent', async () => (await sentOf(drafts)) > 0)
  await services[0].kill()
  await until('all are sent', async () => (await sentOf(drafts)) === drafts.length)
  await until('all have reached the relay', () => subjects.every((subject) => mailsWith(subject) > 0))
  for (const { messageId } of drafts) {
    const { messages, events } = await tracesOf(database, tenant.tenantId, messageId)
    assert.deepEqual({ messages, events }, { messages: 1, events: 1 })
  }
  // What the killed process had at the relay, and had not recorded, goes out again under the same Message-ID.
  const mails = sink.mails.filter(({ bytes }) => bytes.includes('Subject: Sent once'))
  const messageIds = new Set(mails.map(({ bytes }) => /^Message-ID: (.*)$/m.exec(bytes.toString('latin1'))?.[1]))
  assert.equal(messageIds.size, drafts.length)
  // A late click, of somebody whose answer was lost.
  const late = await mustAsk(services[1], user, 'POST', `/data/drafts/${drafts[0]?.id}/send`, { version: 1 })
  assert.deepEqual([late.status, late.body.messageId], [200, drafts[0]?.messageId])
  await services[1].kill()
})

test('a draft that falls due while the database is away is sent once it is back, wherever it went away', async () => {
  const { tenant, user } = await makePlace(database)
  const { proxy, url: proxied } = await proxyDatabase(url)
  const services = [await start(url, 'webmail'), await start(proxied, 'outbound')] as const
  const ways = [
    // Before the draft is taken up; and behind the accepting statement or its commit, of which the worker hears nothing.
    { words: undefined, subject: `Away before ${newId()}` },
    { words: /delete from draft_attachments/, subject: `Away within ${newId()}` },
    { words: /\bcommit\b/i, subject: `Away behind ${newId()}` },
  ]
  for (const { words, subject } of ways) {
    const body = { baseVersion: 0, ...draftOf(tenant.mailboxId, { subject }) }
    const draft = (await mustAsk(services[0], user, 'PUT', `/data/drafts/${newId()}`, body)).body
    const sent = await mustAsk(services[0], user, 'POST', `/data/drafts/${draft.id}/send`, { version: 1 })
    assert.equal(sent.status, 200)
    // A connection that has run a statement before names it, and does not say its words again.
    if (words) proxy.cut()
    const isAway = words && proxy.holdAt(words, 'answer')
    if (!isAway) proxy.hang()
    await fallDue(database, draft.id)
    await isAway
    if (!words?.test('commit')) assert.equal(await sentOf([draft]), 0)
    proxy.cut()
    proxy.resume()
    await until('it has reached the relay', () => mailsWith(subject) > 0, RECOVERS_WITHIN_MS)
    assert.equal(await sentOf([draft]), 1)
    const { messages, events, acts } = await tracesOf(database, tenant.tenantId, draft.messageId)
    assert.deepEqual({ messages, events, acts }, { messages: 1, events: 1, acts: 1 })
    assert.equal(mailsWith(subject), 1)
  }
  for (const service of services) assert.equal(await service.stop(), 0)
  for (const check of await checkInvariants(database, await openFileStore(folder))) {
    assert.equal(check.result, 'ok', JSON.stringify(check))
  }
})

const mailsWith = (subject: string) => sink.mails.filter(({ bytes }) => bytes.includes(`Subject: ${subject}`)).length

/** How many have become messages and are no drafts any more. */
async function sentOf(drafts: readonly { id: Uuid; messageId: Uuid }[]): Promise<number> {
  const row = await database.first(sql<{ count: number }>`
    select count(*) as count from messages m
    where m.id = any (${drafts.map(({ messageId }) => messageId)}::uuid[])
      and not exists (select from drafts d where d.message_id = m.id)`)
  return row?.count ?? 0
}
