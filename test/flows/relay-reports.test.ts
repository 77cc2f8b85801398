// Relay reports over HTTP: signed JSON, and Amazon SES by way of SNS with notifications in its documented form.
import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { after, test } from 'node:test'
import { generate } from 'selfsigned'
import { newId } from '../../src/lib/uuid.ts'
import { signEnvelopeId } from '../../src/mail/envelope-id.ts'
import { signReturnPath } from '../../src/mail/return-path.ts'
import { type Answer, call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { deliveryReport } from '../support/delivery-report.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { TEST_REPORT_SECRET, TEST_SES_TOPIC } from '../support/role-parts.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { recordStatements } from '../support/tenant-scope.ts'
import { until } from '../support/until.ts'
import { RETURN_PATH, startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const amazon = await generate([{ name: 'commonName', value: 'sns.amazonaws.com' }], { keySize: 2048 })
const AWAY = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-4040.pem'
const visited: string[] = []
const { url } = await startTestApi(database, {
  store,
  readFromAmazon: async (target) => {
    visited.push(target.href)
    if (target.href === AWAY) throw new TypeError('fetch failed')
    return amazon.cert
  },
})
const sink = await startSmtpSink()
after(() => sink.stop())

function ok(answer: Answer, status = 200) {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

async function submitted(to: string[]) {
  const tenant = await createTestTenant(database)
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  const { id } = ok(await send(url, tenant.key, { fromMailboxId: tenant.mailboxId, to, text: 'x' }), 202)
  await until('it is sent', async () => (await read(tenant, id)).status === 'sent')
  await outbound.stop()
  return { tenant, id }
}

const read = async (tenant: TestTenant, id: string) =>
  ok(await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key })).message

const eventsOf = async (tenant: TestTenant, type: string) => {
  await feedCaughtUp(database)
  const { items } = ok(await call(url, 'GET', '/v1/events', { key: tenant.key }))
  return items.filter((event: { type: string }) => event.type === type)
}

function report(body: unknown, change: { secret?: string; timestamp?: number; headers?: object } = {}, api = url) {
  const text = JSON.stringify(body)
  const timestamp = change.timestamp ?? Math.floor(Date.now() / 1000)
  const digest = createHmac('sha256', change.secret ?? TEST_REPORT_SECRET)
    .update(`${timestamp}.${text}`)
    .digest('hex')
  const headers = { 'relay-report-timestamp': String(timestamp), 'relay-report-signature': `v1=${digest}` }
  return call(api, 'POST', '/v1/relay-reports', { body: text, headers: { ...headers, ...change.headers } })
}

test('a signed report moves recipients once, named by message or by return path', async () => {
  const { tenant, id } = await submitted(['one@example.test', 'two@example.test'])
  const reports = [
    { messageId: id, recipient: 'one@example.test', outcome: 'delivered', smtpCode: 250, enhancedCode: '2.0.0' },
    {
      returnPath: signReturnPath(id, RETURN_PATH),
      recipient: 'TWO@example.test',
      outcome: 'bounced',
      smtpCode: 550,
      enhancedCode: '5.1.1',
      diagnostic: '550 5.1.1 nobody',
    },
  ]
  assert.deepEqual(ok(await report({ reports })), { applied: 2, ignored: 0 })
  ok(await report({ reports }))
  assert.equal((await read(tenant, id)).status, 'bounced')
  assert.equal((await eventsOf(tenant, 'message.delivered')).length, 1)
  const [bounced, ...more] = await eventsOf(tenant, 'message.bounced')
  assert.deepEqual(more, [])
  assert.deepEqual([bounced.data.recipient, bounced.data.diagnostic], ['two@example.test', '550 5.1.1 nobody'])
})

test('a recipient whose domain is beyond ASCII is known by either spelling', async () => {
  const { tenant, id } = await submitted(['one@example.test', 'post@münchen.example', 'post@xn--bcher-kva.example'])
  const reports = [
    { messageId: id, recipient: 'post@xn--mnchen-3ya.example', outcome: 'delivered' },
    { messageId: id, recipient: 'Post@BÜCHER.example', outcome: 'bounced' },
  ]
  assert.deepEqual(ok(await report({ reports })), { applied: 2, ignored: 0 })
  const { recipients } = await read(tenant, id)
  assert.deepEqual(
    recipients.map((recipient: { address: string; status: string }) => [recipient.address, recipient.status]),
    [
      ['one@example.test', 'sent'],
      ['post@münchen.example', 'delivered'],
      ['post@xn--bcher-kva.example', 'bounced'],
    ],
  )
})

test('the case of a local part tells two recipients apart', async () => {
  const { tenant, id } = await submitted(['a@example.test', 'A@example.test'])
  ok(await report({ reports: [{ messageId: id, recipient: 'A@EXAMPLE.test', outcome: 'bounced' }] }))
  ok(await report({ reports: [{ messageId: id, recipient: 'a@example.test', outcome: 'delivered' }] }))
  const { recipients } = await read(tenant, id)
  assert.deepEqual(
    recipients.map((recipient: { status: string }) => recipient.status),
    ['delivered', 'bounced'],
  )
})

test('a report that is not signed, or long ago, or otherwise wrong changes nothing', async () => {
  const { tenant, id } = await submitted(['one@example.test', 'two@example.test'])
  const reports = [{ messageId: id, recipient: 'one@example.test', outcome: 'delivered' }]
  const now = Math.floor(Date.now() / 1000)
  for (const change of [
    { secret: 'another' },
    { timestamp: now - 310 },
    { timestamp: now + 310 },
    { headers: { 'relay-report-signature': 'v1=zz' } },
    { headers: { 'relay-report-timestamp': 'x' } },
  ]) {
    const { status, body } = await report({ reports }, change)
    assert.deepEqual([status, body.code], [401, 'invalid_signature'])
  }
  ok(await report({ reports: [{ ...reports[0], recipient: 'stranger@example.test' }] }))
  ok(await report({ reports: [{ ...reports[0], messageId: newId() }] }))
  ok(await report({ reports: [{ ...reports[0], messageId: undefined, returnPath: 'bounce+forged@bounce.test' }] }))
  for (const wrong of [{}, { reports: [] }, { reports: [{ ...reports[0], outcome: 'opened' }] }]) {
    assert.equal((await report(wrong)).body.code, 'validation_error')
  }
  assert.equal((await read(tenant, id)).status, 'sent')
})

test('a report of a message that no relay was given changes nothing', async () => {
  const sandbox = await createTestTenant(database, { environment: 'sandbox' })
  const outbound = await startTestOutbound(database, { relayUrl: sink.url, store })
  const body = { fromMailboxId: sandbox.mailboxId, to: ['silent@example.test'], text: 'x' }
  const { id } = ok(await send(url, sandbox.key, body), 202)
  await until('it is sent', async () => (await read(sandbox, id)).status === 'sent')
  await outbound.stop()

  const inbound = await startTestInbound(database, { store })
  const tenant = await createTestTenant(database)
  await handIn(inbound.port, 'a@example.test', [tenant.address], 'Subject: x\r\n\r\nx\r\n')
  const [received] = ok(await call(url, 'GET', '/v1/messages', { key: tenant.key })).items
  const said = { recipient: 'silent@example.test', outcome: 'bounced' }
  const reports = [
    { ...said, messageId: id },
    { ...said, returnPath: signReturnPath(id, RETURN_PATH) },
    { ...said, messageId: received.id },
    { ...said, messageId: newId() },
  ]
  assert.deepEqual(ok(await report({ reports })), { applied: 0, ignored: 4 })
  assert.equal((await read(sandbox, id)).status, 'sent')
  assert.equal((await read(tenant, received.id)).status, 'received')
  const { replies } = await handIn(inbound.port, '', [signReturnPath(id, RETURN_PATH)], 'x')
  assert.match(replies[1] ?? '', /^550 5\.1\.1 /)
})

test('the same octets of a signed report again move nobody twice, and nothing once they are old', async () => {
  const { tenant, id } = await submitted(['one@example.test', 'two@example.test'])
  const said = { messageId: id, recipient: 'one@example.test' }
  const timestamp = Math.floor(Date.now() / 1000)
  const delivered = () => report({ reports: [{ ...said, outcome: 'delivered' }] }, { timestamp })
  const bounced = () => report({ reports: [{ ...said, outcome: 'bounced' }] }, { timestamp })
  await Promise.all([delivered(), delivered(), delivered(), delivered()].map(async (answer) => ok(await answer)))
  assert.equal((await eventsOf(tenant, 'message.delivered')).length, 1)
  for (const replayed of [bounced, delivered, bounced]) ok(await replayed())
  assert.deepEqual(
    (await read(tenant, id)).recipients.map((r: { status: string }) => r.status),
    ['bounced', 'sent'],
  )
  assert.equal((await eventsOf(tenant, 'message.delivered')).length, 1)
  assert.equal((await eventsOf(tenant, 'message.bounced')).length, 1)
  const old = { timestamp: timestamp - 400 }
  const late = await report({ reports: [{ ...said, recipient: 'two@example.test', outcome: 'bounced' }] }, old)
  assert.equal(late.status, 401)
})

test('delivered and bounced reported at once, by mail and over HTTP, end as bounced', async () => {
  const inbound = await startTestInbound(database, { store })
  for (let round = 0; round < 10; round++) {
    const { tenant, id } = await submitted(['one@example.test', 'two@example.test'])
    const byMail = (action: string, status: string) =>
      handIn(
        inbound.port,
        '',
        [signReturnPath(id, RETURN_PATH)],
        deliveryReport([{ address: 'one@example.test', action, status }], signEnvelopeId(id, RETURN_PATH)),
      )
    const overHttp = (outcome: string) =>
      report({ reports: [{ messageId: id, recipient: 'one@example.test', outcome }] })
    await Promise.all([
      byMail('delivered', '2.0.0'),
      overHttp('bounced'),
      overHttp('delivered'),
      byMail('failed', '5.1.1'),
    ])
    assert.equal((await read(tenant, id)).recipients[0].status, 'bounced')
    assert((await eventsOf(tenant, 'message.delivered')).length <= 1)
    assert.equal((await eventsOf(tenant, 'message.bounced')).length, 1)
  }
})

/** As SNS sends it: JSON in text/plain. */
function sns(message: object, change: object = {}, api = url) {
  const whole = {
    Type: 'Notification',
    MessageId: newId(),
    TopicArn: TEST_SES_TOPIC,
    Message: JSON.stringify(message),
    Timestamp: new Date().toISOString(),
    SignatureVersion: '2',
    SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123.pem',
    ...change,
  } as Record<string, string>
  const names =
    whole.Type === 'Notification'
      ? ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']
  const text = names.map((name) => `${name}\n${whole[name]}\n`).join('')
  const algorithm = whole.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256'
  const signature = sign(algorithm, Buffer.from(text), createPrivateKey(amazon.private)).toString('base64')
  return call(api, 'POST', '/v1/relay-reports/ses', {
    body: JSON.stringify({ Signature: signature, ...whole }),
    headers: { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': whole.Type as string },
  })
}

const mailOf = (id: string, source: string) => ({
  timestamp: '2026-01-01T00:00:00.000Z',
  messageId: '0102019-ses',
  source,
  destination: ['one@example.test'],
  headers: [{ name: 'Message-ID', value: `<${id}@example.test>` }],
})

test('a report of failure that overtakes the answer to DATA proves that the message was sent, once', async (t) => {
  const tenant = await createTestTenant(database)
  const [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = await startSmtpSink({
    async onMessage() {
      asked.resolve()
      await answer.promise
      return undefined
    },
  })
  t.after(() => {
    answer.resolve()
    return slow.stop()
  })
  const outbound = await startTestOutbound(database, { relayUrl: slow.url, store })
  const to = ['one@example.test', 'two@example.test']
  const { id } = ok(await send(url, tenant.key, { fromMailboxId: tenant.mailboxId, to, text: 'x' }), 202)
  await asked.promise
  const failed = (recipient: string) =>
    report({ reports: [{ messageId: id, recipient, outcome: 'failed', enhancedCode: '4.4.7' }] })
  ok(await failed('one@example.test'))
  const early = await read(tenant, id)
  assert.equal(early.status, 'sent')
  assert.match(early.sentAt, /^\d{4}-/)

  answer.resolve()
  await until('our own record is written', async () => (await read(tenant, id)).recipients[1].status === 'sent')
  await outbound.stop()
  ok(await failed('two@example.test'))
  const late = await read(tenant, id)
  assert.deepEqual([late.status, late.sentAt], ['failed', early.sentAt])
  await feedCaughtUp(database)
  const { items } = ok(await call(url, 'GET', '/v1/events?limit=100', { key: tenant.key }))
  assert.deepEqual(
    items.flatMap((event: { type: string; resourceId: string; data: { status: string; recipient?: string } }) =>
      event.resourceId === id ? [[event.type, event.data.status, event.data.recipient]] : [],
    ),
    [
      ['message.queued', 'queued', undefined],
      ['message.sent', 'sent', undefined],
      ['message.failed', 'sent', 'one@example.test'],
      ['message.failed', 'failed', 'two@example.test'],
    ],
  )
})

test('a bounce says whether it may pass', async () => {
  const { tenant, id } = await submitted(['full@example.test', 'gone@example.test', 'mute@example.test'])
  const codes = { full: '5.2.2', gone: '5.1.1', mute: null }
  const reports = Object.entries(codes).map(([name, enhancedCode]) => {
    return { messageId: id, recipient: `${name}@example.test`, outcome: 'bounced', enhancedCode }
  })
  ok(await report({ reports }))
  assert.deepEqual(
    (await eventsOf(tenant, 'message.bounced')).map(({ data }: { data: Record<string, unknown> }) => data.bounce),
    [{ type: 'transient' }, { type: 'permanent' }, { type: 'undetermined' }],
  )
})

test('SES reports deliveries and bounces, by the return path or by the Message-ID we wrote', async () => {
  const { tenant, id } = await submitted(['one@example.test', 'two@example.test'])
  const signed = signReturnPath(id, RETURN_PATH)
  ok(
    await sns({
      notificationType: 'Delivery',
      mail: mailOf(id, signed),
      delivery: { recipients: ['one@example.test'], smtpResponse: '250 2.6.0 Message received' },
    }),
  )
  ok(
    await sns({
      eventType: 'Bounce',
      mail: mailOf(id, 'sender@amazonses.example'),
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [
          {
            emailAddress: 'two@example.test',
            action: 'failed',
            status: '5.1.1',
            diagnosticCode: 'smtp; 550 5.1.1 user unknown',
          },
        ],
      },
    }),
  )
  ok(await sns({ notificationType: 'Complaint', mail: mailOf(id, signed), complaint: {} }))
  const { recipients, status } = await read(tenant, id)
  assert.equal(status, 'bounced')
  assert.deepEqual(
    recipients.map((r: Record<string, unknown>) => [r.status, r.smtpCode, r.enhancedCode, r.diagnostic]),
    [
      ['delivered', 250, '2.6.0', '250 2.6.0 Message received'],
      ['bounced', 550, '5.1.1', '550 5.1.1 user unknown'],
    ],
  )
})

test('a complaint that SES reports of one recipient is shown on it, and one of several on nobody', async () => {
  const { tenant, id } = await submitted(['one@example.test', 'two@example.test'])
  const complaint = (...addresses: unknown[]) =>
    sns({
      notificationType: 'Complaint',
      mail: mailOf(id, signReturnPath(id, RETURN_PATH)),
      complaint: { complainedRecipients: addresses.map((emailAddress) => ({ emailAddress })) },
    })
  const complained = async () =>
    (await read(tenant, id)).recipients.map((r: { complainedAt: string | null }) => r.complainedAt !== null)
  for (const addresses of [[], ['one@example.test', 'two@example.test'], ['stranger@example.test'], [7]])
    assert.deepEqual(ok(await complaint(...addresses)).applied, 0)
  assert.deepEqual(await complained(), [false, false])
  assert.deepEqual(ok(await complaint('TWO@example.test')), { applied: 1, ignored: 0 })
  assert.deepEqual(await complained(), [false, true])
  assert.equal((await read(tenant, id)).status, 'sent')
})

test('what is no recipient or header in a notification of SES is passed over', async () => {
  const to = ['one@example.test', 'two@example.test', 'three@example.test']
  const { tenant, id } = await submitted(to)
  const mail = { ...mailOf(id, 'sender@amazonses.example'), headers: [null, 7, ...mailOf(id, '').headers] }
  const bouncedRecipients = [null, 'two@example.test', [], { emailAddress: 'one@example.test', status: '5.1.1' }]
  ok(await sns({ notificationType: 'Bounce', mail, bounce: { bounceType: 'Permanent', bouncedRecipients } }))
  ok(await sns({ notificationType: 'Delivery', mail, delivery: { recipients: [null, {}, 'two@example.test'] } }))
  ok(await sns({ eventType: 'Reject', mail: { ...mail, destination: [null, 'three@example.test'] }, reject: null }))
  assert.deepEqual(
    (await read(tenant, id)).recipients.map((r: { status: string }) => r.status),
    ['bounced', 'delivered', 'failed'],
  )
})

test('SES may quote whatever a server said: it is kept as text that can be stored', async () => {
  const to = ['cut@example.test', 'nul@example.test', 'half@example.test', 'fits@example.test']
  const { tenant, id } = await submitted(to)
  const words = [`550 ${'x'.repeat(995)}😀`, '550 5.1.1 no\0body', '550 5.1.1 \ud83d', `550 ${'x'.repeat(994)}😀`]
  const bouncedRecipients = to.map((emailAddress, i) => ({
    emailAddress,
    status: i === 0 ? '5.2.2\0\udc00' : '\0',
    diagnosticCode: `smtp; ${words[i]}`,
  }))
  const mail = mailOf(id, 'sender@amazonses.example')
  ok(await sns({ notificationType: 'Bounce', mail, bounce: { bounceType: 'Permanent', bouncedRecipients } }))
  assert.deepEqual(
    (await read(tenant, id)).recipients.map((r: Record<string, unknown>) => [r.enhancedCode, r.diagnostic]),
    [
      ['5.2.2', `550 ${'x'.repeat(995)}\ufffd`],
      ['5.1.1', '550 5.1.1 no\ufffdbody'],
      ['5.1.1', '550 5.1.1 \ufffd'],
      [null, `550 ${'x'.repeat(994)}😀`],
    ],
  )

  const refused = await submitted(['one@example.test'])
  ok(await sns({ eventType: 'Reject', mail: mailOf(refused.id, 'x'), reject: { reason: 'Bad\0content \ud83d' } }))
  const { recipients } = await read(refused.tenant, refused.id)
  assert.equal(recipients[0].diagnostic, 'refused by Amazon SES: Bad\ufffdcontent \ufffd')
})

test('a subscription is confirmed where Amazon answers and nowhere else', async () => {
  visited.length = 0
  const confirmation = { Type: 'SubscriptionConfirmation', Token: 'x', Message: 'You have chosen to subscribe' }
  const real = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=x'
  ok(await sns({}, { ...confirmation, SubscribeURL: real }))
  ok(await sns({}, { ...confirmation, SubscribeURL: 'https://sns.eu-west-1.amazonaws.com.evil.test/' }))
  assert.deepEqual(
    visited.filter((target) => !target.endsWith('.pem')),
    [real],
  )
})

test('while Amazon cannot be asked SNS is asked to come again', async () => {
  const { status, headers, body } = await sns({}, { SigningCertURL: AWAY })
  assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'service_unavailable', '20'])
})

test('what Amazon did not sign for our topic by version 2 changes nothing', async () => {
  const { tenant, id } = await submitted(['one@example.test'])
  const delivery = {
    notificationType: 'Delivery',
    mail: mailOf(id, signReturnPath(id, RETURN_PATH)),
    delivery: { recipients: ['one@example.test'] },
  }
  for (const change of [
    { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:other' },
    { Signature: Buffer.alloc(256).toString('base64') },
    { Signature: '' },
    { SignatureVersion: '1' },
    { SignatureVersion: '3' },
  ]) {
    assert.equal((await sns(delivery, change)).status, 401, JSON.stringify(change))
  }
  assert.equal((await read(tenant, id)).status, 'sent')
})

test('a certificate is read at the host of the topic, under the name that Amazon gives it, and nowhere else', async () => {
  const host = 'sns.eu-west-1.amazonaws.com'
  const file = 'SimpleNotificationService-abc123.pem'
  visited.length = 0
  for (const SigningCertURL of [
    `https://sns.s3-us-west-2.amazonaws.com/${file}`,
    `https://sns.s3.amazonaws.com/${file}`,
    `https://sns.us-east-1.amazonaws.com/${file}`,
    `https://sns.eu-west-1.amazonaws.com.cn/${file}`,
    `https://${host}.evil.test/${file}`,
    `https://evil.test/${file}`,
    `https://evil.test/${host}/${file}`,
    `https://${host}@evil.test/${file}`,
    `https://user@${host}/${file}`,
    `https://${host}:443/${file}`,
    `https://${host}:8443/${file}`,
    `https://${host}./${file}`,
    `http://${host}/${file}`,
    `HTTPS://${host}/${file}`,
    `https://${host.toUpperCase()}/${file}`,
    `https://${host}/x/${file}`,
    `https://${host}/x/../${file}`,
    `https://${host}//${file}`,
    `https://${host}/${file}?x=1`,
    `https://${host}/${file}#x`,
    `https://${host}/${file}\n`,
    ` https://${host}/${file}`,
    `https://${host}\\@evil.test/${file}`,
    `https://${host}/SimpleNotificationService-.pem`,
    `https://${host}/SimpleNotificationService-xyz.pem`,
    `https://${host}/SimpleNotificationService-${'a'.repeat(65)}.pem`,
    `https://${host}/other.pem`,
    `https://${host}/`,
    '',
  ]) {
    assert.equal((await sns({}, { SigningCertURL })).status, 401, SigningCertURL)
  }
  assert.deepEqual(visited, [])
  ok(await sns({}, { SigningCertURL: `https://${host}/${file}` }))
  assert.deepEqual(visited, [`https://${host}/${file}`])
})

test('of messages of other topics no certificate is asked for', async () => {
  visited.length = 0
  const SigningCertURL = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-fefe.pem'
  for (const TopicArn of ['arn:aws:sns:eu-west-1:999999999999:other', `${TEST_SES_TOPIC} `, '']) {
    assert.equal((await sns({}, { TopicArn, SigningCertURL })).status, 401)
  }
  assert.deepEqual(visited, [])
})

test('nothing is asked of the database before a report is known to be signed', async () => {
  const { tenant, id } = await submitted(['one@example.test'])
  const recorded = recordStatements(database)
  const api = await startTestApi(recorded.database, { store, readFromAmazon: async () => amazon.cert })
  const reports = [{ messageId: id, recipient: 'one@example.test', outcome: 'delivered' }]
  const notification = { notificationType: 'Delivery', mail: mailOf(id, 'x') }
  for (const answer of [
    await report({ reports }, { headers: { 'relay-report-signature': '' } }, api.url),
    await report({ reports }, { headers: { 'relay-report-timestamp': 'x' } }, api.url),
    await report({ reports }, { secret: 'another' }, api.url),
    await report('no reports', { secret: 'another' }, api.url),
    await sns(notification, { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:other' }, api.url),
    await sns(notification, { SignatureVersion: '1' }, api.url),
    await sns(notification, { SigningCertURL: 'https://evil.test/x.pem' }, api.url),
    await sns(notification, { Signature: Buffer.alloc(256).toString('base64') }, api.url),
  ]) {
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_signature'])
  }
  assert.deepEqual([...recorded.statements], [])
  ok(await report({ reports }, {}, api.url))
  assert.equal((await read(tenant, id)).status, 'delivered')
  assert(recorded.statements.size > 0)
})

test('a notification that comes again moves nobody twice', async () => {
  const { tenant, id } = await submitted(['one@example.test'])
  const mail = mailOf(id, signReturnPath(id, RETURN_PATH))
  const delivery = { notificationType: 'Delivery', mail, delivery: { recipients: ['one@example.test'] } }
  const bounced = [{ emailAddress: 'one@example.test', status: '5.1.1' }]
  const bounce = { notificationType: 'Bounce', mail, bounce: { bounceType: 'Permanent', bouncedRecipients: bounced } }
  for (const notification of [delivery, delivery, bounce, delivery, bounce]) ok(await sns(notification))
  assert.equal((await read(tenant, id)).status, 'bounced')
  assert.equal((await eventsOf(tenant, 'message.delivered')).length, 1)
  assert.equal((await eventsOf(tenant, 'message.bounced')).length, 1)
})
