// Whoever knows a return path may send anything to it: a report counts as far as it proves where it is from.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseNetwork } from '../../src/lib/network.ts'
import { signEnvelopeId } from '../../src/mail/envelope-id.ts'
import { signReturnPath } from '../../src/mail/return-path.ts'
import { type Answer, call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { deliveryReport } from '../support/delivery-report.ts'
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
const behind = (relay: string) => ({
  relayReports: { networks: [parseNetwork(relay)], secret: undefined, sesTopic: undefined },
})
const anywhere = await startTestInbound(database, { store })
const besideTheRelay = await startTestInbound(database, { store, config: behind('192.0.2.0/24') })
const theRelay = await startTestInbound(database, { store, config: behind('127.0.0.1') })

const ONE = 'one@example.test'
const TWO = 'two@example.test'

function ok(answer: Answer, status = 200) {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

async function submitted(...to: string[]) {
  const tenant = await createTestTenant(database)
  const { id } = ok(await send(url, tenant.key, { fromMailboxId: tenant.mailboxId, to, text: 'x' }), 202)
  const read = async () => ok(await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key })).message
  await until('it is sent', async () => (await read()).status === 'sent')
  const statuses = async () => (await read()).recipients.map((r: { status: string }) => r.status)
  const keptFor = async () => {
    const { rows } = await database.pool.query('select 1 from unread_reports where message_id = $1', [id])
    return rows.length
  }
  return { id, statuses, keptFor, returnPath: signReturnPath(id, RETURN_PATH), own: signEnvelopeId(id, RETURN_PATH) }
}

const bounce = (address: string) => ({ address, action: 'failed', status: '5.1.1' })
const delivery = (address: string) => ({ address, action: 'delivered', status: '2.0.0' })

test('a recipient can move no other to bounced or delivered, and what was tried is kept', async () => {
  const message = await submitted(ONE, TWO)
  const other = await submitted(ONE, TWO)
  anywhere.received.length = 0
  const [id, first, second] = message.own.split('.') as [string, string, string]
  const forged = [undefined, '', id, message.returnPath, other.own, `${id}.${first}.${first}`, `${id}.${second}`]
  for (const envelopeId of forged) {
    for (const said of [bounce(TWO), delivery(TWO)]) {
      const { last } = await handIn(anywhere.port, '', [message.returnPath], deliveryReport([said], envelopeId))
      assert.match(last, /^250 /)
    }
  }
  assert.deepEqual(await message.statuses(), ['sent', 'sent'])
  assert.deepEqual(await other.statuses(), ['sent', 'sent'])
  assert.deepEqual(new Set(anywhere.received), new Set(['unproven_report']))
  assert((await message.keptFor()) > 0)
})

test('a plain-text bounce, which has no place for an envelope id, moves nobody among several', async () => {
  const message = await submitted(ONE, TWO)
  const qmail = `From: MAILER-DAEMON@x.test\r\n\r\nHi. This is the qmail-send program at x.test.\r\n\r\n<${TWO}>:\r\nSorry, no mailbox here by that name. (#5.1.1)\r\n\r\n--- Below this line is a copy of the message.\r\n`
  await handIn(anywhere.port, '', [message.returnPath], qmail)
  assert.deepEqual(await message.statuses(), ['sent', 'sent'])
  await handIn(theRelay.port, '', [message.returnPath], qmail)
  assert.deepEqual(await message.statuses(), ['sent', 'bounced'])
})

test('the envelope id proves a report, however the reporter spells it and whatever MAIL says beside the null sender', async () => {
  const spellings = [
    (own: string) => own,
    (own: string) => own.toUpperCase(),
    (own: string) => own.replaceAll('.', '+2E'),
    (own: string) => `\r\n\t${own}`,
  ]
  for (const spelled of spellings) {
    const message = await submitted(ONE, TWO)
    const report = deliveryReport([bounce(TWO), delivery(ONE)], spelled(message.own))
    const parameters = ` SIZE=${report.length} RET=HDRS ENVID=of-the-report BODY=8BITMIME`
    const { last } = await handIn(besideTheRelay.port, '', [message.returnPath], report, parameters)
    assert.match(last, /^250 /)
    assert.deepEqual(await message.statuses(), ['delivered', 'bounced'])
  }
})

test('the envelope id of the mail that brings a report proves nothing', async () => {
  const message = await submitted(ONE, TWO)
  const report = deliveryReport([bounce(TWO)])
  await handIn(anywhere.port, '', [message.returnPath], report, ` ENVID=${message.own}`)
  assert.deepEqual(await message.statuses(), ['sent', 'sent'])
})

test('a report with a sender moves nobody, not even with the envelope id or from the relay', async () => {
  const several = await submitted(ONE, TWO)
  const alone = await submitted(ONE)
  for (const sender of ['someone@example.test', 'MAILER-DAEMON@relay.test']) {
    for (const { port } of [anywhere, theRelay]) {
      await handIn(port, sender, [several.returnPath], deliveryReport([bounce(ONE)], several.own))
      await handIn(port, sender, [alone.returnPath], deliveryReport([bounce(ONE)], alone.own))
    }
  }
  assert.deepEqual([await several.statuses(), await alone.statuses()], [['sent', 'sent'], ['sent']])
  assert.equal(await alone.keptFor(), 4)
})

test('without proof a report counts for the only recipient of a message, unless the relays are named', async () => {
  const message = await submitted(ONE)
  besideTheRelay.received.length = 0
  await handIn(besideTheRelay.port, '', [message.returnPath], deliveryReport([bounce(ONE)]))
  assert.deepEqual([await message.statuses(), besideTheRelay.received], [['sent'], ['unproven_report']])
  assert.equal(await message.keptFor(), 1)
  await handIn(anywhere.port, '', [message.returnPath], deliveryReport([bounce(ONE)]))
  assert.deepEqual(await message.statuses(), ['bounced'])
})

test('a report counts from the address of a relay that is named, whatever envelope id it has, and not from the next one', async () => {
  const message = await submitted(ONE, TWO)
  for (const envelopeId of [undefined, 'of-its-own']) {
    const report = deliveryReport([bounce(TWO)], envelopeId)
    await handIn(theRelay.port, '', [message.returnPath], report, '', '127.0.0.2')
  }
  assert.deepEqual(await message.statuses(), ['sent', 'sent'])
  await handIn(theRelay.port, '', [message.returnPath], deliveryReport([delivery(ONE)]))
  await handIn(theRelay.port, '', [message.returnPath], deliveryReport([bounce(TWO)], 'of-its-own'))
  assert.deepEqual(await message.statuses(), ['delivered', 'bounced'])
})

test('a mail to two return paths moves the one message whose envelope id it carries', async () => {
  const [mine, victim] = [await submitted(ONE, TWO), await submitted(ONE, TWO)]
  const report = deliveryReport([bounce(ONE), bounce(TWO)], mine.own)
  await handIn(anywhere.port, '', [mine.returnPath, victim.returnPath], report)
  assert.deepEqual(await mine.statuses(), ['bounced', 'bounced'])
  assert.deepEqual(await victim.statuses(), ['sent', 'sent'])
})

test('a delay without proof changes nothing and is not kept', async () => {
  const message = await submitted(ONE, TWO)
  anywhere.received.length = 0
  const report = deliveryReport([{ address: TWO, action: 'delayed', status: '4.4.1' }])
  await handIn(anywhere.port, '', [message.returnPath], report)
  assert.deepEqual([await message.statuses(), anywhere.received], [['sent', 'sent'], ['delivery_report']])
  assert.equal(await message.keptFor(), 0)
})
