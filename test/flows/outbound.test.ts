// From the queue to the relay: what is submitted, what is recorded, and what happens when the relay does not play along.

import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import PostalMime from 'postal-mime'
import { setAppStatus } from '../../src/apps/set-app-status.ts'
import { setTenantStatus } from '../../src/apps/set-tenant-status.ts'
import { objectKey, StoreUnavailable } from '../../src/lib/object-store.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { readReturnPath } from '../../src/mail/return-path.ts'
import { setMailboxStatus } from '../../src/mailboxes/set-mailbox-status.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { operator, operatorOf } from '../support/operator.ts'
import { startRawSmtpServer, startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { RETURN_PATH, startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const tenant = await createTestTenant(database)

interface Recipient {
  address: string
  status: string
  smtpCode: number | null
  enhancedCode: string | null
  diagnostic: string | null
  attempts: number
  nextAttemptAt: string | null
}

async function accept(change: Record<string, unknown> = {}, from = tenant): Promise<Uuid> {
  const body = { fromMailboxId: from.mailboxId, to: ['someone@example.test'], subject: 'Hi', text: 'Hello', ...change }
  const answer = await send(url, from.key, body)
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  return answer.body.id
}

async function read(
  id: Uuid,
  key = tenant.key,
): Promise<{ status: string; sizeBytes: number; recipients: Recipient[] }> {
  return (await call(url, 'GET', `/v1/messages/${id}`, { key })).body.message
}

const status = (id: Uuid, wanted: string, key = tenant.key) =>
  until(`message is ${wanted}`, async () => {
    const message = await read(id, key)
    return message.status === wanted && message
  })

async function eventsOf(id: Uuid): Promise<{ type: string; data: Record<string, unknown> }[]> {
  return database.rows(sql<{ type: string; data: Record<string, unknown> }>`
    select type, data from events where resource_id = ${id} order by epoch, xid, seq`)
}

const typesOf = async (id: Uuid) => (await eventsOf(id)).map((event) => event.type)

async function jobsOf(id: Uuid): Promise<{ state: string }[]> {
  return database.rows(sql<{ state: string }>`select state from jobs where subject_id = ${id}`)
}

async function sinkAndWorker(
  behaviour: Parameters<typeof startSmtpSink>[0] = {},
  options: Partial<Parameters<typeof startTestOutbound>[1]> = {},
) {
  const sink = await startSmtpSink(behaviour)
  after(sink.stop)
  const worker = await startTestOutbound(database, { relayUrl: sink.url, ...options })
  return { sink, worker }
}

test('a message reaches the relay as it was meant, and each step has its event', async () => {
  const { sink, worker } = await sinkAndWorker()
  const id = await accept({
    to: ['anna@example.test'],
    cc: ['carl@example.test'],
    bcc: ['hidden@example.test'],
    subject: 'Grüße 🎉',
    text: 'Zeile eins\nZeile zwei',
    html: '<p>Zeile <b>eins</b></p>',
  })
  const message = await status(id, 'sent')
  const [mail] = await sink.received(1)
  assert(mail)
  assert.deepEqual(mail.to, ['anna@example.test', 'carl@example.test', 'hidden@example.test'])
  assert.deepEqual(readReturnPath(mail.from, RETURN_PATH), { messageId: id })

  const parsed = await PostalMime.parse(mail.bytes)
  assert.equal(parsed.subject, 'Grüße 🎉')
  assert.equal(parsed.messageId, `<${id}@${tenant.address.split('@')[1]}>`)
  assert.deepEqual(parsed.from, { address: tenant.address, name: 'Sender' })
  assert.equal(parsed.text?.trim(), 'Zeile eins\nZeile zwei')
  assert.match(parsed.html ?? '', /<b>eins<\/b>/)
  assert(!parsed.headers.some((header) => header.key === 'bcc'))
  assert.doesNotMatch(mail.bytes.toString('latin1'), /hidden@/)

  assert.equal(message.sizeBytes, mail.bytes.length)
  assert(message.recipients.every((recipient) => recipient.status === 'sent' && recipient.smtpCode === 250))
  const events = await eventsOf(id)
  assert.deepEqual(
    events.map((event) => event.type),
    ['message.queued', 'message.sent'],
  )
  assert.match(String(events[1]?.data.relayResponse), /^250 2\.0\.0 Ok: taken/)
  const stored = await worker.store.get(objectKey('messages', tenant.tenantId, id))
  assert(stored)
  assert((await buffer(stored)).equals(mail.bytes), 'what was stored is what was submitted')
  assert.deepEqual(await jobsOf(id), [])
  await worker.stop()
})

test('recipients refused for good fail while the others go on', async () => {
  const { sink, worker } = await sinkAndWorker({
    onRecipient: (address) => (address.startsWith('no') ? '550 5.1.1 no such user' : undefined),
  })
  const id = await accept({ to: ['no@example.test', 'yes@example.test'] })
  const message = await status(id, 'sent')
  assert.deepEqual((await sink.received(1))[0]?.to, ['yes@example.test'])
  const refused = message.recipients[0]
  assert.deepEqual([refused?.status, refused?.smtpCode, refused?.enhancedCode], ['failed', 550, '5.1.1'])
  assert.match(refused?.diagnostic ?? '', /no such user/)
  assert.deepEqual(await typesOf(id), ['message.queued', 'message.sent', 'message.failed'])
  const failed = (await eventsOf(id))[2]
  assert.deepEqual([failed?.data.recipient, failed?.data.status], ['no@example.test', 'sent'])
  await worker.stop()
})

test('replies in octets that are no text are shown as text', async () => {
  const garbage = Buffer.concat([Buffer.from([0x78, 0x00, 0xe9, 0xff, 0x1b]), Buffer.from(`${'😀'.repeat(600)}\r\n`)])
  const relay = await startRawSmtpServer((line, socket) => {
    if (line === '' && socket.bytesRead === 0) return '220 ready'
    if (line === 'DATA') return '354 go'
    const garbled = line === '.' ? '250 2.0.0 ' : /^RCPT TO:<no@/.test(line) && '550 5.1.1 '
    if (garbled) return void socket.write(Buffer.concat([Buffer.from(garbled), garbage]))
    return /^(EHLO|MAIL|RCPT|RSET)/.test(line) ? '250 Ok' : undefined
  })
  after(relay.stop)
  const worker = await startTestOutbound(database, { relayUrl: relay.url })
  const id = await accept({ to: ['no@example.test', 'yes@example.test'] })
  const { recipients } = await status(id, 'sent')
  assert.deepEqual(
    recipients.map(({ smtpCode, enhancedCode }) => [smtpCode, enhancedCode]),
    [
      [550, '5.1.1'],
      [250, '2.0.0'],
    ],
  )
  const sent = (await eventsOf(id)).find(({ type }) => type === 'message.sent')
  for (const text of [recipients[0]?.diagnostic, recipients[1]?.diagnostic, sent?.data.relayResponse]) {
    assert.match(String(text), /x /)
    assert.doesNotMatch(String(text), /[\p{Cc}\p{Cs}]/u)
  }
  await worker.stop()
})

test('a message that every recipient is refused for fails at once, with the reply', async () => {
  const { sink, worker } = await sinkAndWorker({ onRecipient: () => '553 5.7.1 not here' })
  const id = await accept()
  const message = await status(id, 'failed')
  assert.equal(message.recipients[0]?.smtpCode, 553)
  assert.deepEqual(await typesOf(id), ['message.queued', 'message.failed'])
  assert.deepEqual(await jobsOf(id), [])
  assert.equal(sink.mails.length, 0)
  await worker.stop()
})

test('a recipient refused for now is tried again, alone', async () => {
  let refusals = 2
  const { sink, worker } = await sinkAndWorker({
    onRecipient: (address) => (address.startsWith('busy') && refusals-- > 0 ? '452 4.2.2 mailbox full' : undefined),
  })
  const id = await accept({ to: ['free@example.test', 'busy@example.test'] })
  await until('both are sent', async () => (await read(id)).recipients.every((r) => r.status === 'sent'))
  assert.deepEqual(
    (await sink.received(2)).map((mail) => mail.to),
    [['free@example.test'], ['busy@example.test']],
  )
  const [first, second] = sink.mails
  assert(first?.bytes.equals(second?.bytes as Buffer), 'the same bytes')
  assert.deepEqual(await typesOf(id), ['message.queued', 'message.sent'])
  await worker.stop()
})

test('a relay that answers 4xx is tried again until it takes the message', async () => {
  let refusals = 3
  const { sink, worker } = await sinkAndWorker({
    onMessage: () => (refusals-- > 0 ? '451 4.3.0 try later' : undefined),
  })
  const id = await accept()
  await status(id, 'sent')
  assert.equal(sink.mails.length, 1)
  await worker.stop()
})

test('after the give-up time a message that is still refused for now fails, and says why', async () => {
  const { worker } = await sinkAndWorker({ onMessage: () => '451 4.3.0 try later' }, { giveUpMs: 300 })
  const id = await accept()
  const message = await status(id, 'failed')
  assert.match(message.recipients[0]?.diagnostic ?? '', /gave up.*try later/)
  assert.equal(message.recipients[0]?.smtpCode, 451)
  await worker.stop()
})

test('a message past the give-up time that had no turn before a stop is given back, not failed', async () => {
  const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()]
  const held = () => {
    arrived.resolve()
    return gate.promise
  }
  const stopped = await sinkAndWorker({ onMessage: held }, { giveUpMs: 0, connections: 1 })
  const ids = [await accept(), await accept()]
  await arrived.promise
  await until('both are leased', async () => {
    const jobs = (await Promise.all(ids.map(jobsOf))).flat()
    return jobs.every(({ state }) => state === 'leased')
  })
  const stopping = stopped.worker.stop()
  gate.resolve(undefined)
  await stopping
  const statuses = (await Promise.all(ids.map((id) => read(id)))).map((message) => message.status)
  assert.deepEqual(statuses.sort(), ['queued', 'sent'])
  const { sink, worker } = await sinkAndWorker({}, { giveUpMs: 0 })
  for (const id of ids) await status(id, 'sent')
  assert.deepEqual([stopped.sink.mails.length, sink.mails.length], [1, 1])
  await worker.stop()
})

test('mail waits for a relay that is down and goes when it is back', async () => {
  const first = await startSmtpSink()
  await first.stop()
  const worker = await startTestOutbound(database, { relayUrl: first.url })
  const id = await accept()
  await until('an attempt was put off', async () => (await jobsOf(id))[0]?.state === 'scheduled')
  assert.equal((await read(id)).status, 'queued')
  const { sink } = await sinkAndWorkerOn(first.port)
  await status(id, 'sent')
  assert.equal(sink.mails.length, 1)
  await worker.stop()
})

test('mail that waits for a relay that is down shows why, how often it was tried and when it is tried again', async () => {
  const first = await startSmtpSink()
  await first.stop()
  const worker = await startTestOutbound(database, { relayUrl: first.url })
  // More than one transaction takes: none of them was asked for.
  const to = Array.from({ length: 50 }, (_, i) => `to${i}@example.test`)
  const [cc, bcc] = ['cc', 'bcc'].map((kind) => to.map((address) => `${kind}-${address}`))
  const id = await accept({ to, cc, bcc })
  assert.deepEqual([(await read(id)).recipients[0]].map(wait), [[null, 0, false]])
  const { recipients } = await until('it was tried twice', async () => {
    const message = await read(id)
    return (message.recipients[0]?.attempts ?? 0) >= 2 && message
  })
  for (const recipient of recipients) {
    assert.equal(recipient.status, 'queued')
    assert.deepEqual(wait(recipient), ['connection refused', recipients[0]?.attempts, true])
  }
  const { sink } = await sinkAndWorkerOn(first.port)
  await until('all are sent', async () => (await read(id)).recipients.every((r) => r.status === 'sent'))
  for (const recipient of (await read(id)).recipients) {
    assert.equal(recipient.nextAttemptAt, null)
    assert(recipient.attempts >= 3)
    assert.match(recipient.diagnostic ?? '', /^Ok: taken/)
  }
  assert.equal(sink.mails.length, 2)
  await worker.stop()
})

const attemptsOf = ({ attempts, nextAttemptAt }: Recipient) => [attempts, nextAttemptAt]

const wait = (recipient?: Recipient) => [
  recipient?.diagnostic,
  recipient?.attempts,
  recipient?.nextAttemptAt !== null && Date.parse(recipient?.nextAttemptAt ?? '') > 0,
]

test('a recipient that is put off shows the last reply about it, and the others nothing of it', async () => {
  let verdict: string | undefined = '451 4.7.1 greylisted'
  const { worker } = await sinkAndWorker({
    onRecipient: (address) => (address.startsWith('busy') ? verdict : undefined),
  })
  const id = await accept({ to: ['free@example.test', 'busy@example.test'] })
  const shows = (diagnostic: string) =>
    until(`it shows ${diagnostic}`, async () => {
      const { recipients } = await read(id)
      return recipients[1]?.diagnostic === diagnostic && recipients
    })
  const [free, busy] = await shows('greylisted')
  assert.deepEqual([free?.status, free?.attempts, free?.nextAttemptAt], ['sent', 1, null])
  assert.deepEqual([busy?.status, busy?.smtpCode, busy?.enhancedCode], ['queued', 451, '4.7.1'])
  assert.deepEqual(wait(busy), ['greylisted', busy?.attempts, true])
  verdict = '452 4.2.2 full'
  const [, later] = await shows('full')
  assert((later?.attempts ?? 0) > (busy?.attempts ?? 0))
  verdict = undefined
  await until('both are sent', async () => (await read(id)).recipients.every((r) => r.status === 'sent'))
  const [first, second] = (await read(id)).recipients
  assert.deepEqual([first?.attempts, second?.nextAttemptAt], [1, null])
  await worker.stop()
})

test('an object store that is away is what a recipient shows', async () => {
  const away = async () => {
    throw new StoreUnavailable('no space left')
  }
  const sink = await startSmtpSink()
  after(sink.stop)
  const store = { put: away, get: away, head: away, delete: away, list: async function* () {}, check: away }
  const worker = await startTestOutbound(database, { relayUrl: sink.url, store })
  const id = await accept()
  const recipient = await until('it was put off', async () => {
    const [only] = (await read(id)).recipients
    return only?.nextAttemptAt ? only : undefined
  })
  assert.deepEqual(wait(recipient), ['the object store is not available', recipient.attempts, true])
  await worker.stop()
  const { worker: other } = await sinkAndWorker()
  await status(id, 'sent')
  await other.stop()
})

test('each attempt is one line of the log, with the message and without its recipients and their words', async () => {
  let verdict: string | undefined = '451 4.7.1 <someone@example.test>: greylisted'
  const { worker } = await sinkAndWorker({ onRecipient: () => verdict })
  const linesOf = (id: Uuid) =>
    worker.lines.filter(({ messageId }) => messageId === id) as object[] as Record<string, unknown>[]
  const id = await accept({ to: ['someone@example.test', 'other@example.test'] })
  await until('it was deferred', () => linesOf(id).length > 0)
  const { time: _, nextAttemptInMs, ...deferred } = linesOf(id)[0] ?? {}
  assert(Number(nextAttemptInMs) >= 100)
  const codes = { smtpCode: 451, enhancedCode: '4.7.1' }
  assert.deepEqual(deferred, {
    ...{ level: 'info', msg: 'a message was deferred', messageId: id, attempt: 1, result: 'refused' },
    ...{ ...codes, sent: 0, deferred: 2, failed: 0 },
  })
  verdict = undefined
  await status(id, 'sent')
  const { time: __, ...submitted } = linesOf(id).at(-1) ?? {}
  assert.deepEqual(submitted, {
    ...{
      level: 'info',
      msg: 'a message was submitted',
      messageId: id,
      attempt: linesOf(id).length,
      result: 'accepted',
    },
    ...{ smtpCode: 250, enhancedCode: '2.0.0', sent: 2, deferred: 0, failed: 0 },
  })
  verdict = '550 5.1.1 <someone@example.test>: unknown'
  const refused = await accept()
  await status(refused, 'failed')
  const { time: ___, ...failed } = linesOf(refused)[0] ?? {}
  assert.deepEqual(failed, {
    ...{ level: 'warn', msg: 'a message failed', messageId: refused, attempt: 1, result: 'refused' },
    ...{ smtpCode: 550, enhancedCode: '5.1.1', sent: 0, deferred: 0, failed: 1 },
  })
  assert.equal(linesOf(refused).length, 1)
  assert.doesNotMatch(JSON.stringify(worker.lines), /someone|greylisted|unknown/)
  await worker.stop()
})

async function sinkAndWorkerOn(port: number) {
  const sink = await startSmtpSink({ port })
  after(sink.stop)
  return { sink }
}

test('a connection dropped before the reply may have worked: the same bytes and Message-ID go again', async () => {
  let drops = 1
  const dropped: Buffer[] = []
  const { sink, worker } = await sinkAndWorker({
    onMessage: (mail) => {
      if (drops-- <= 0) return undefined
      dropped.push(mail.bytes)
      return 'drop'
    },
  })
  const id = await accept()
  await status(id, 'sent')
  assert.equal(sink.mails.length, 1)
  assert(sink.mails[0]?.bytes.equals(dropped[0] as Buffer))
  assert.deepEqual(await typesOf(id), ['message.queued', 'message.sent'])
  await worker.stop()
})

test('a slow relay never causes a second submission: the lease is kept alive', async () => {
  let submissions = 0
  const { worker } = await sinkAndWorker(
    {
      onMessage: async () => {
        submissions += 1
        await new Promise((resolve) => setTimeout(resolve, 1_500))
        return undefined
      },
    },
    { leaseMs: 300 },
  )
  // A second process that would take over at once.
  const rival = await sinkAndWorker({}, { leaseMs: 300 })
  const id = await accept()
  await status(id, 'sent')
  assert.equal(submissions + rival.sink.mails.length, 1)
  await worker.stop()
  await rival.worker.stop()
})

test('more recipients than one transaction takes go in several, each once', async () => {
  const { sink, worker } = await sinkAndWorker()
  const many = (name: string) => Array.from({ length: 50 }, (_, i) => `${name}${i}@example.test`)
  const id = await accept({ to: many('a'), cc: many('b'), bcc: many('c') })
  await until('all are sent', async () => (await read(id)).recipients.every((r) => r.status === 'sent'))
  assert.deepEqual(
    sink.mails.map((mail) => mail.to.length),
    [100, 50],
  )
  assert.equal(new Set(sink.mails.flatMap((mail) => mail.to)).size, 150)
  assert.deepEqual(await typesOf(id), ['message.queued', 'message.sent'])
  await worker.stop()
})

test('a mailbox or tenant suspended meanwhile stops what has not gone yet, and an application does not', async () => {
  const one = await createTestTenant(database)
  const two = await createTestTenant(database)
  const byMailbox = await accept({ fromMailboxId: one.mailboxId }, one)
  const byTenant = await accept({ fromMailboxId: two.mailboxId }, two)
  const three = await createTestTenant(database)
  const byApp = await accept({ fromMailboxId: three.mailboxId }, three)
  await setAppStatus(database, operatorOf(three.tenantId), three.appId, 'suspended')
  await setMailboxStatus(database, operatorOf(one.tenantId), one.mailboxId, 'suspended')
  await setTenantStatus(database, operator, two.tenantId, 'suspended')
  const { sink, worker } = await sinkAndWorker()
  const message = await status(byMailbox, 'failed', one.key)
  assert.match(message.recipients[0]?.diagnostic ?? '', /mailbox was suspended/)
  await until('the third is sent', async () => (await typesOf(byApp)).includes('message.sent'))
  await until('the other failed too', async () => (await typesOf(byTenant)).includes('message.failed'))
  const letters = await database.rows(sql<{ reason: string }>`
    select reason from dead_letters where subject_id in (${byMailbox}, ${byTenant}) order by reason`)
  assert.deepEqual(
    letters.map((letter) => letter.reason),
    ['mailbox_suspended', 'tenant_suspended'],
  )
  assert.equal(sink.mails.length, 1)
  await worker.stop()
})

test('a message that stops its worker five times fails and is dead-lettered', async () => {
  const id = await accept()
  await database.rows(sql`update jobs set receptions = 5 where subject_id = ${id}`)
  const { sink, worker } = await sinkAndWorker()
  const message = await status(id, 'failed')
  assert.match(message.recipients[0]?.diagnostic ?? '', /stopped its worker 5 times/)
  assert.equal(sink.mails.length, 0)
  const letters = await database.rows(sql<{ reason: string }>`select reason from dead_letters where subject_id = ${id}`)
  assert.deepEqual(letters, [{ reason: 'receptions_exhausted' }])
  await worker.stop()
})

test('an object store that is away holds mail up and loses none', async () => {
  let away = true
  const sink = await startSmtpSink()
  after(sink.stop)
  const objects = new Map<string, Buffer>()
  const worker = await startTestOutbound(database, {
    relayUrl: sink.url,
    store: {
      async put(key, source) {
        if (away) throw new StoreUnavailable('no space left')
        objects.set(key, source as Buffer)
        return { sizeBytes: (source as Buffer).length, sha256: '' }
      },
      get: async () => undefined,
      head: async () => undefined,
      delete: async () => {},
      async *list() {},
      check: async () => {},
    },
  })
  const id = await accept()
  await until('it was put off more often than receptions allow', async () => {
    const [job] = await database.rows(sql<{ payload: { attempt: number } | null }>`
      select payload from jobs where subject_id = ${id}`)
    return (job?.payload?.attempt ?? 0) > 6
  })
  away = false
  await status(id, 'sent')
  assert.equal(sink.mails.length, 1)
  await worker.stop()
})

test('sandbox mail is built and stored, never submitted, and its recipients decide its outcome', async () => {
  const sandbox = await createTestTenant(database, { environment: 'sandbox' })
  const { sink, worker } = await sinkAndWorker()
  const outcomes: Record<string, [string, string[]]> = {
    anyone: ['delivered', ['message.sent', 'message.delivered']],
    'bounced-1': ['bounced', ['message.sent', 'message.bounced']],
    'failed.x': ['failed', ['message.sent', 'message.failed']],
    deferred: ['delivered', ['message.sent', 'message.delivered']],
    silent: ['sent', ['message.sent']],
  }
  for (const [local, [outcome, types]] of Object.entries(outcomes)) {
    const id = await accept({ fromMailboxId: sandbox.mailboxId, to: [`${local}@example.test`] }, sandbox)
    if (local === 'deferred') {
      const deferred = await until('it was put off', async () => {
        const [only] = (await read(id, sandbox.key)).recipients
        return only?.nextAttemptAt ? only : undefined
      })
      assert.deepEqual(wait(deferred), ['simulated: try again later', deferred.attempts, true])
      assert.deepEqual([deferred.status, deferred.smtpCode, deferred.enhancedCode], ['queued', 451, '4.7.1'])
    }
    const { recipients } = await status(id, outcome, sandbox.key)
    assert.deepEqual(recipients.map(attemptsOf), [[local === 'deferred' ? 3 : 1, null]])
    const events = await eventsOf(id)
    assert.deepEqual(
      events.map((event) => event.type),
      ['message.queued', ...types],
      local,
    )
    assert(events.every((event) => event.data.demo === true))
    assert(await worker.store.head(objectKey('messages', sandbox.tenantId, id)))
  }
  assert.equal(sink.mails.length, 0)
  assert.equal((await call(url, 'GET', `/v1/messages/${newId()}`, { key: sandbox.key })).status, 404)
  await worker.stop()
})

test('after all of this no job is left behind', async () => {
  assert.deepEqual(await database.rows(sql`select subject_id from jobs`), [])
})
