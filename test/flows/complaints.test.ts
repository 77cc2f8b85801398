// Complaints (RFC 5965) that come to a return path are shown on the recipient, and move nothing.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseNetwork } from '../../src/lib/network.ts'
import { newId } from '../../src/lib/uuid.ts'
import { signEnvelopeId } from '../../src/mail/envelope-id.ts'
import { signReturnPath } from '../../src/mail/return-path.ts'
import { type Answer, call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { deliveryReport } from '../support/delivery-report.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { handIn, startTestInbound } from '../support/inbound.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { RETURN_PATH, startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const sink = await startSmtpSink()
after(() => sink.stop())
await startTestOutbound(database, { relayUrl: sink.url, store })
const anywhere = await startTestInbound(database, { store })
const networks = [parseNetwork('127.0.0.1')]
const theRelay = await startTestInbound(database, {
  store,
  config: { relayReports: { networks, secret: undefined, sesTopic: undefined } },
})

const ONE = 'one@example.test'
const TWO = 'two@example.test'

function ok(answer: Answer, status = 200) {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

async function submitted(...to: string[]) {
  const tenant = await createTestTenant(database)
  const { id } = ok(await send(url, tenant.key, { fromMailboxId: tenant.mailboxId, to, text: 'x' }), 202)
  const recipients = async () => {
    const { message } = ok(await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key }))
    return message.recipients as { status: string; complainedAt: string | null; updatedAt: string }[]
  }
  await until('it is sent', async () => (await recipients()).every(({ status }) => status === 'sent'))
  const complained = async () => (await recipients()).map(({ complainedAt }) => complainedAt !== null)
  const events = async () => {
    await feedCaughtUp(database)
    const { items } = ok(await call(url, 'GET', '/v1/events', { key: tenant.key }))
    return items.map(({ type }: { type: string }) => type)
  }
  return {
    recipients,
    complained,
    events,
    returnPath: signReturnPath(id, RETURN_PATH),
    own: signEnvelopeId(id, RETURN_PATH),
  }
}

function complaint(...fields: string[]): string {
  return [
    'From: fbl@provider.test',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    '--b',
    '',
    `This is an abuse report, ${newId()}.`,
    '--b',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'Version: 1',
    ...fields,
    '--b--',
    '',
  ].join('\r\n')
}

test('a complaint is shown on the only recipient of a message, and moves and appends nothing', async () => {
  const message = await submitted(ONE)
  const [before] = await message.recipients()
  const events = await message.events()
  anywhere.received.length = 0
  assert.match((await handIn(anywhere.port, '', [message.returnPath], complaint())).last, /^250 /)
  const [recipient] = await message.recipients()
  const { complainedAt, updatedAt, ...rest } = recipient ?? assert.fail()
  assert.match(complainedAt ?? '', /^\d{4}-.*Z$/)
  assert.equal(updatedAt, complainedAt)
  assert.deepEqual({ ...rest, complainedAt: null, updatedAt: before?.updatedAt }, before)
  assert.deepEqual(await message.events(), events)
  assert.deepEqual(anywhere.received, ['feedback'])

  await handIn(anywhere.port, '', [message.returnPath], complaint())
  assert.deepEqual(await message.recipients(), [recipient])
})

test('among several a complaint counts for whom it names, where it proves its origin', async () => {
  const message = await submitted(ONE, TWO)
  const named = (...fields: string[]) => complaint(`Original-Rcpt-To: <${TWO}>`, ...fields)
  anywhere.received.length = 0
  await handIn(anywhere.port, '', [message.returnPath], named())
  await handIn(anywhere.port, 'fbl@provider.test', [message.returnPath], named(`Original-Envelope-Id: ${message.own}`))
  assert.deepEqual(anywhere.received, ['unproven_report', 'unproven_report'])
  assert.deepEqual(await message.complained(), [false, false])

  theRelay.received.length = 0
  await handIn(theRelay.port, '', [message.returnPath], complaint())
  await handIn(theRelay.port, '', [message.returnPath], complaint('Original-Rcpt-To: <stranger@example.test>'))
  assert.deepEqual(theRelay.received, ['unread_report', 'unread_report'])
  assert.deepEqual(await message.complained(), [false, false])

  await handIn(anywhere.port, '', [message.returnPath], named(`Original-Envelope-Id: ${message.own}`))
  assert.deepEqual(await message.complained(), [false, true])
  await handIn(theRelay.port, '', [message.returnPath], complaint(`Original-Rcpt-To: ${ONE}`))
  assert.deepEqual(await message.complained(), [true, true])
})

test('a report that comes in the form of a complaint and is none changes nothing', async () => {
  const message = await submitted(ONE)
  const praise = complaint().replace('Feedback-Type: abuse', 'Feedback-Type: not-spam')
  await handIn(anywhere.port, '', [message.returnPath], praise)
  assert.deepEqual(await message.complained(), [false])
})

test('a complaint and an outcome that come at once are both kept', async () => {
  for (let round = 0; round < 5; round += 1) {
    const message = await submitted(ONE, TWO)
    const outcomes = [
      { address: ONE, action: 'delivered', status: '2.0.0' },
      { address: TWO, action: 'failed', status: '5.1.1' },
    ]
    await Promise.all([
      ...outcomes.map((said) => handIn(theRelay.port, '', [message.returnPath], deliveryReport([said]))),
      ...[ONE, TWO, TWO].map((address) =>
        handIn(theRelay.port, '', [message.returnPath], complaint(`Original-Rcpt-To: ${address}`)),
      ),
    ])
    const recipients = await message.recipients()
    assert.deepEqual(
      recipients.map(({ status, complainedAt }) => [status, complainedAt !== null]),
      [
        ['delivered', true],
        ['bounced', true],
      ],
    )
  }
})
