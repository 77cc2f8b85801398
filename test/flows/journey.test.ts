// The whole service as its users meet it: commands, HTTP, SMTP and webhooks from outside, one story from an empty
// database to a reconciled feed.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import nodemailer from 'nodemailer'
import PostalMime from 'postal-mime'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts'
import { type Answer, call, send } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { freePort } from '../support/free-port.ts'
import { mdk } from '../support/mdk.ts'
import { startService } from '../support/service.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const SCOPES = [
  'mailboxes:read',
  'messages:read',
  'messages:write',
  'messages:send',
  'attachments:read',
  'attachments:write',
  'webhooks:read',
  'webhooks:write',
]

interface Delivered {
  headers: Record<string, string>
  body: Buffer
  event: { id: string; type: string; data: Record<string, unknown> }
}

/** A receiver that passes the handshake and keeps what it receives. */
async function startReceiver() {
  const delivered: Delivered[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const event = JSON.parse(body.toString())
    if (event.type === 'webhook.endpoint_verification') {
      response.end(JSON.stringify({ challenge: event.data.challenge }))
      return
    }
    delivered.push({ headers: request.headers as Record<string, string>, body, event })
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, delivered }
}

test('from an empty database to a reconciled feed', async () => {
  const { database, url: databaseUrl } = await createTestDatabase()
  const relay = await startSmtpSink()
  after(() => relay.stop())
  const receiver = await startReceiver()
  const smtpPort = await freePort()
  const dataDir = await temporaryFolder('journey-')
  after(() => rm(dataDir, { recursive: true, force: true }))
  const env = {
    MDK_DATABASE_URL: databaseUrl,
    MDK_DATA_DIR: dataDir,
    MDK_RELAY_URL: relay.url,
    MDK_RETURN_PATH_DOMAIN: 'bounce.test',
    MDK_WEBHOOK_ALLOW: '127.0.0.0/8',
    MDK_IP_PER_MINUTE: '0',
    MDK_SMTP_PORT: String(smtpPort),
    MDK_CONSOLE_PORT: '0',
    MDK_WEBMAIL_PORT: '0',
    MDK_DNS_SERVERS: '127.0.0.1:9',
    MDK_POLL: '50ms',
  }
  const service = await startService(env)
  const { url } = service

  // An operator sets up a tenant.
  const run = async (...args: string[]) => {
    const { status, json, stderr } = await mdk(env, ...args)
    assert.equal(status, 0, stderr)
    return json
  }
  const tenant = (await run('tenant', 'create', '--name', 'Acme')).id
  await run('domain', 'add', '--tenant', tenant, '--domain', 'acme.test', '--verified')
  const sales = (await run('mailbox', 'create', '--tenant', tenant, '--address', 'sales@acme.test', '--name', 'Sales'))
    .id
  const help = (await run('mailbox', 'create', '--tenant', tenant, '--address', 'help@acme.test', '--name', 'Help')).id
  const keyOf = async (environment: string) => {
    const app = (await run('app', 'create', '--tenant', tenant, '--name', environment, '--environment', environment)).id
    return (await run('key', 'create', '--app', app, ...SCOPES.flatMap((scope) => ['--scope', scope]))).key as string
  }
  const key = await keyOf('production')
  const sandboxKey = await keyOf('sandbox')
  const ok = (answer: Answer, status = 200) => {
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }

  // An integrator subscribes, uploads and sends.
  const created = ok(
    await call(url, 'POST', '/v1/webhook-endpoints', { key, body: { url: receiver.url, eventTypes: ['*'] } }),
    201,
  )
  assert.match(created.secret, /^whsec_/)
  const file = randomBytes(200_000)
  const sha256 = createHash('sha256').update(file).digest('hex')
  const prepared = ok(
    await call(url, 'POST', '/v1/attachments/uploads', {
      key,
      headers: { 'idempotency-key': 'journey-upload' },
      body: {
        mailboxId: sales,
        filename: 'Überblick 📎.bin',
        mediaType: 'application/x-report',
        sizeBytes: file.length,
        sha256,
      },
    }),
    201,
  )
  assert.equal(prepared.attachment, null)
  const put = await fetch(prepared.upload.url, { method: 'PUT', headers: prepared.upload.headers, body: file })
  assert(put.ok, `${put.status} ${await put.text()}`)
  const { attachment } = ok(await call(url, 'POST', `/v1/attachments/uploads/${prepared.uploadId}/complete`, { key }))
  const body = {
    fromMailboxId: sales,
    to: ['you@example.test'],
    subject: 'Überblick',
    html: `<p>Seht her: <img src="cid:${attachment.id}"></p>`,
    attachmentIds: [attachment.id],
  }
  const queued = ok(await send(url, key, body, 'journey-send'), 202)
  assert.deepEqual(queued, { id: queued.id, object: 'message', status: 'queued' })
  const again = await send(url, key, body, 'journey-send')
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, queued)

  // The mail arrives as it was meant.
  const [mail] = await relay.received(1)
  assert(mail)
  const parsed = await PostalMime.parse(mail.bytes)
  assert.equal(parsed.subject, 'Überblick')
  assert.equal(parsed.attachments[0]?.filename, 'Überblick 📎.bin')
  assert.deepEqual(Buffer.from(parsed.attachments[0]?.content as ArrayBuffer), file)

  // The relay reports.
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    secure: false,
    tls: { rejectUnauthorized: false },
  })
  await transport.sendMail({
    envelope: { from: '', to: [mail.from] },
    raw: [
      'From: MAILER-DAEMON@relay.test',
      `To: ${mail.from}`,
      'Subject: Successful Mail Delivery Report',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Delivered.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; relay.test',
      '',
      'Final-Recipient: rfc822; you@example.test',
      'Action: delivered',
      'Status: 2.0.0',
      '',
      '--b--',
      '',
    ].join('\r\n'),
  })
  const sent = await until('the report is applied', async () => {
    const { message } = ok(await call(url, 'GET', `/v1/messages/${queued.id}`, { key }))
    return message.status === 'delivered' ? message : undefined
  })
  assert.deepEqual(
    sent.mailboxes.map((entry: { mailboxId: string; folder: string }) => [entry.mailboxId, entry.folder]),
    [[sales, 'sent']],
  )
  assert.equal(sent.attachments[0].id, attachment.id)

  // Mail comes in for both mailboxes, and is read and filed.
  await transport.sendMail({
    from: 'Kunde <kunde@example.test>',
    to: 'sales@acme.test, help@acme.test',
    subject: 'Frage',
    text: 'Was kostet das?',
    attachments: [{ filename: 'bild.png', content: file, contentType: 'image/png' }],
  })
  const page = ok(await call(url, 'GET', `/v1/messages?limit=1&mailboxId=${help}`, { key }))
  const [received] = page.items
  assert.equal(received.subject, 'Frage')
  assert.equal(received.mailboxes.length, 2)
  ok(
    await call(url, 'PATCH', `/v1/messages/${received.id}`, {
      key,
      body: { mailboxId: help, isRead: true, folder: 'archive' },
    }),
  )
  const { message } = ok(await call(url, 'GET', `/v1/messages/${received.id}`, { key }))
  assert.match(message.text, /Was kostet das/)
  const entries = Object.fromEntries(message.mailboxes.map((e: { mailboxId: string }) => [e.mailboxId, e]))
  assert.deepEqual(entries[help], { mailboxId: help, folder: 'archive', isRead: true, isStarred: false })
  assert.deepEqual(entries[sales], { mailboxId: sales, folder: 'inbox', isRead: false, isStarred: false })
  const download = ok(await call(url, 'GET', `/v1/attachments/${message.attachments[0].id}/download-url`, { key }))
  assert.equal(download.sha256, sha256)
  const bytes = await fetch(download.url)
  assert.deepEqual(Buffer.from(await bytes.arrayBuffer()), file)
  const raw = await fetch(`${url}/v1/messages/${received.id}/raw`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(raw.headers.get('content-type'), 'message/rfc822')
  assert.match(await raw.text(), /^Subject: Frage\r$/m)

  // A sandbox sees none of it.
  assert.deepEqual(ok(await call(url, 'GET', '/v1/messages', { key: sandboxKey })).items, [])
  assert.deepEqual(ok(await call(url, 'GET', '/v1/events', { key: sandboxKey })).items, [])
  for (const path of [
    `messages/${received.id}`,
    `messages/${received.id}/raw`,
    `attachments/${attachment.id}/download-url`,
  ]) {
    ok(await call(url, 'GET', `/v1/${path}`, { key: sandboxKey }), 404)
  }

  // Whatever the feed holds since the subscription has been delivered, signed.
  await feedCaughtUp(database)
  const feed: { id: string; type: string }[] = []
  let cursor: string | null = null
  do {
    const next: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''
    const events: { items: typeof feed; nextCursor: string | null } = ok(
      await call(url, 'GET', `/v1/events?limit=3${next}`, { key }),
    )
    feed.push(...events.items)
    cursor = events.nextCursor
  } while (cursor)
  assert.deepEqual(
    feed.map((event) => event.type).filter((type) => !type.startsWith('domain.')),
    [
      'mailbox.created',
      'mailbox.created',
      'message.queued',
      'message.sent',
      'message.delivered',
      'message.received',
      'message.updated',
    ],
  )
  const due = feed.filter((event) => event.type.startsWith('message.')).map((event) => event.id)
  await until('every event is delivered', () =>
    due.every((id) => receiver.delivered.some(({ event }) => event.id === id)),
  )
  assert.equal(receiver.delivered.length, due.length)
  const standard = new Webhook(created.secret)
  for (const { headers, body: payload } of receiver.delivered) {
    standard.verify(payload.toString(), headers)
    assert.equal(verifyWebhook({ headers, body: payload, secret: created.secret }).type.split('.')[0], 'message')
  }
  const deliveries = ok(await call(url, 'GET', '/v1/webhook-deliveries', { key }))
  await until('every delivery is recorded', async () => {
    const { items } = ok(await call(url, 'GET', '/v1/webhook-deliveries', { key }))
    return items.every((item: { status: string }) => item.status === 'delivered')
  })
  const replayed = ok(
    await call(url, 'POST', `/v1/webhook-deliveries/${deliveries.items[0].id}/replay`, {
      key,
      headers: { 'idempotency-key': 'journey-replay' },
    }),
    202,
  )
  assert.equal(replayed.cycle, 2)
  await until('the replay arrives', () => receiver.delivered.length === due.length + 1)
  assert.equal(receiver.delivered.at(-1)?.event.id, deliveries.items[0].eventId)
  assert.equal(await service.stop(), 0)
  assert.equal(service.errors(), '')
})
