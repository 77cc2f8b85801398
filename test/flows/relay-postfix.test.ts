// Submission to a real Postfix: what it accepts, refuses, puts off and reports back.
import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import PostalMime from 'postal-mime'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { newId } from '../../src/lib/uuid.ts'
import { buildMime } from '../../src/mail/build/build-mime.ts'
import type { OutgoingMessage } from '../../src/mail/build/layout.ts'
import { signEnvelopeId } from '../../src/mail/envelope-id.ts'
import { readReturnPath, returnPathSettings, signReturnPath } from '../../src/mail/return-path.ts'
import { createRelay, type Relay } from '../../src/mail/smtp/relay.ts'
import type { SubmissionRequest } from '../../src/mail/smtp/smtp-session.ts'
import { POSTFIX_PASSWORD, POSTFIX_USER, type Postfix, startPostfix } from '../support/postfix.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'

const log = pino({ level: 'silent' })
const returnPaths = returnPathSettings('bounce.test', [{ version: 1, key: createSecretKey(randomBytes(32)) }])

async function request(
  change: Partial<OutgoingMessage> & { recipients: string[] },
): Promise<SubmissionRequest & { messageId: string }> {
  const { recipients, ...message } = change
  const messageId = newId()
  const built = await buildMime({
    messageId: `<${messageId}@example.com>`,
    date: new Date('2026-01-05T10:00:00Z'),
    from: { address: 'sender@example.com', name: 'Jürgen Sender' },
    to: recipients.map((address) => ({ address, name: null })),
    cc: [],
    subject: 'Grüße',
    text: 'Hallo Wörld\r\n.with a leading dot\r\n',
    html: '<p>Hallo Wörld</p>',
    ...message,
  })
  const envelopeFrom = signReturnPath(messageId, returnPaths)
  const envelopeId = signEnvelopeId(messageId, returnPaths)
  return { messageId, envelopeFrom, recipients, message: built.bytes, envelopeId, smtpUtf8: built.smtpUtf8 }
}

describe('a real Postfix as relay', { skip: skipWithout('postfix') }, () => {
  let postfix: Postfix
  let bounces: SmtpSink
  let next: SmtpSink
  let announcing: SmtpSink
  let relay: Relay

  before(async () => {
    bounces = await startSmtpSink()
    next = await startSmtpSink({ server: { hideDSN: true } })
    announcing = await startSmtpSink({ server: { hideDSN: false } })
    postfix = await startPostfix({
      routes: {
        'bounce.test': { port: bounces.port },
        'next.test': { port: next.port, dsn: false },
        'announcing.test': { port: announcing.port },
        'withheld.test': { port: announcing.port, dsn: false },
      },
    })
    relay = createRelay({ url: postfix.url, connections: 4, log })
  })
  after(async () => {
    await relay?.close(1_000)
    await postfix?.stop()
    await bounces?.stop()
    await next?.stop()
    await announcing?.stop()
  })

  /** The next notification about a message, whose return path says which. */
  async function notification(messageId: string): Promise<string> {
    for (let count = 1; ; count++) {
      const mail = (await bounces.received(count))[count - 1]
      const path = mail?.to[0] ?? ''
      if (readReturnPath(path, returnPaths)?.messageId === messageId) return mail?.bytes.toString() ?? ''
    }
  }

  test('takes a message, delivers it unharmed, and says so to the signed return path', async () => {
    const sent = await request({ recipients: ['alice@local.test'] })
    const submission = await relay.submit(sent)
    assert.equal(submission.kind, 'accepted')
    assert.match(submission.kind === 'accepted' ? submission.reply.text : '', /queued as/)
    const [delivered] = await postfix.mailFor('alice@local.test')
    const mail = await PostalMime.parse(delivered as Buffer)
    assert.equal(mail.subject, 'Grüße')
    assert.equal(mail.from?.name, 'Jürgen Sender')
    assert.match(mail.text ?? '', /^Hallo Wörld\r?\n\.with a leading dot/)
    assert.ok(delivered?.toString().includes(`Return-Path: <${sent.envelopeFrom}>\n`))
    const report = await notification(sent.messageId)
    assert.match(report, /Action: delivered/)
    assert.ok(report.includes(`\nOriginal-Envelope-Id: ${sent.envelopeId}\r\n`))
  })

  test('relays the bytes as they are', async () => {
    const sent = await request({ recipients: ['bob@next.test'] })
    assert.equal((await relay.submit(sent)).kind, 'accepted')
    const [mail] = await next.received(1)
    assert.ok(mail?.bytes.includes(sent.message as Buffer), 'only trace fields are put before it')
    assert.match(await notification(sent.messageId), /Action: relayed/)
  })

  test('hands the envelope id to the next server that announces DSN, unless told not to, and shows it in no header', async () => {
    const given = new Map<string, unknown>()
    for (const recipient of ['gina@announcing.test', 'hans@withheld.test']) {
      const sent = await request({ recipients: [recipient] })
      assert.equal((await relay.submit(sent)).kind, 'accepted')
      const mail = (await announcing.received(given.size + 1))[given.size]
      const { args } = mail?.envelope.mailFrom || {}
      given.set(recipient, args && (args as Record<string, unknown>).ENVID === sent.envelopeId)
      assert.ok(!mail?.bytes.includes(sent.envelopeId as string))
    }
    assert.deepEqual([...given.values()], [true, false])
  })

  test('refuses some recipients, puts off others, and takes the rest', async () => {
    const recipients = ['reject@local.test', 'carol@local.test', 'defer@local.test', 'crowd@local.test']
    const submission = await relay.submit(await request({ recipients }))
    assert.equal(submission.kind, 'accepted')
    assert.deepEqual(
      submission.kind === 'accepted' &&
        [...submission.refusals].map(([i, { permanent, reply }]) => [i, permanent, reply.code, reply.enhancedCode]),
      [
        [0, true, 550, '5.1.1'],
        [2, false, 450, '4.2.0'],
        [3, false, 452, '4.5.3'],
      ],
    )
    await postfix.mailFor('carol@local.test')
  })

  test('refuses all recipients, for good or for now', async () => {
    const refused = await relay.submit(await request({ recipients: ['reject@local.test', 'reject2@local.test'] }))
    assert.equal(refused.kind === 'refused' && refused.permanent, true)
    const deferred = await relay.submit(await request({ recipients: ['defer@local.test', 'reject@local.test'] }))
    assert.equal(deferred.kind === 'refused' && deferred.permanent, false)
    assert.equal((await relay.submit(await request({ recipients: ['dora@local.test'] }))).kind, 'accepted')
  })

  test('bounces later what it took, to the signed return path', async () => {
    const sent = await request({ recipients: ['unknown@local.test'] })
    assert.equal((await relay.submit(sent)).kind, 'accepted')
    const report = await notification(sent.messageId)
    assert.match(report, /Action: failed/)
    assert.match(report, /Status: 5\.1\.1/)
  })

  test('takes addresses beyond ASCII, of recipients and of the sender alone', async () => {
    for (const sent of [
      await request({ recipients: ['jürgen@local.test'] }),
      await request({ recipients: ['emil@local.test'], from: { address: 'jürgen@example.com', name: 'Jürgen' } }),
    ]) {
      assert.equal(sent.smtpUtf8, true)
      const submission = await relay.submit(sent)
      assert.equal(submission.kind, 'accepted', JSON.stringify(submission))
      await postfix.mailFor(sent.recipients[0] as string)
    }
  })

  test('a hundred recipients go in one transaction', async () => {
    const recipients = Array.from({ length: 100 }, (_, i) => `many${i}@local.test`)
    const submission = await relay.submit(await request({ recipients }))
    assert.equal(submission.kind === 'accepted' && submission.refusals.size, 0)
    await postfix.mailFor('many99@local.test')
  })

  test('goes down and comes back', async () => {
    const other = await startPostfix()
    const client = createRelay({ url: other.url, connections: 2, log })
    try {
      const sent = await request({ recipients: ['frida@local.test'] })
      assert.equal((await client.submit(sent)).kind, 'accepted')
      await other.stop()
      assert.equal((await client.submit(sent)).kind, 'unavailable')
      const back = await startPostfix({ port: other.port })
      try {
        assert.equal((await client.submit(sent)).kind, 'accepted')
        await back.mailFor('frida@local.test')
      } finally {
        await back.stop()
      }
    } finally {
      await client.close(0)
      await other.stop()
    }
  })
})

describe('a Postfix that wants authentication', { skip: skipWithout('postfix', 'sasl2-bin') }, () => {
  let postfix: Postfix
  before(async () => {
    postfix = await startPostfix({ authenticate: true })
  })
  after(() => postfix?.stop())

  for (const [who, credentials, kind] of [
    ['the right password', `${POSTFIX_USER}%40relay.test:${POSTFIX_PASSWORD}@`, 'accepted'],
    ['a wrong password', `${POSTFIX_USER}%40relay.test:guess@`, 'unavailable'],
    ['no password', '', 'refused'],
  ] as const) {
    test(`with ${who}: ${kind}`, async () => {
      const relay = createRelay({ url: postfix.url.replace('smtp://', `smtp://${credentials}`), connections: 1, log })
      try {
        const submission = await relay.submit(await request({ recipients: ['gina@local.test'] }))
        assert.equal(submission.kind, kind, JSON.stringify(submission))
      } finally {
        await relay.close(1_000)
      }
    })
  }
})
