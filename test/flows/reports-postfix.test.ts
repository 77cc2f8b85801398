// The whole way with a real Postfix: what it reports to the signed return path becomes the right events, once each.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { type Answer, call, openTestStore, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestInbound } from '../support/inbound.ts'
import { startPostfix } from '../support/postfix.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const { url } = await startTestApi(database, { store })
const inbound = await startTestInbound(database, { store })

function ok(answer: Answer, status = 200) {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  return answer.body
}

const skip = skipWithout('postfix')

describe('reports of a real Postfix', { skip }, async () => {
  if (skip) return
  // Refuses for good at the end of the data, after Postfix has taken responsibility.
  const refusing = await startSmtpSink({ onMessage: () => '554 5.7.1 not wanted' })
  const busy = await startSmtpSink({ onRecipient: () => '450 4.2.1 busy' })
  let tries = 0
  const late = await startSmtpSink({ onRecipient: () => (++tries < 2 ? '450 4.2.1 busy' : '550 5.1.1 gone') })
  const postfix = await startPostfix({
    routes: {
      'bounce.test': { port: inbound.port },
      'refusing.test': { port: refusing.port },
      'busy.test': { port: busy.port },
      'late.test': { port: late.port },
    },
  })
  const outbound = await startTestOutbound(database, { relayUrl: postfix.url, store })
  const stops = [outbound.stop, postfix.stop, refusing.stop, busy.stop, late.stop]
  after(async () => {
    for (const stop of stops) await stop()
  })

  /** Sends, and gives the message with its events once it stands as it should. */
  async function fateOf(to: string[], status: string) {
    const tenant = await createTestTenant(database)
    const body = { fromMailboxId: tenant.mailboxId, to, text: 'x' }
    const { id } = ok(await send(url, tenant.key, body), 202)
    const read = async () => ok(await call(url, 'GET', `/v1/messages/${id}`, { key: tenant.key })).message
    const message = await until(
      `it is ${status}`,
      async () => {
        const found = await read()
        return found.status === status && found
      },
      45_000,
    )
    const events = await until('its events are there', async () => {
      const { items } = ok(await call(url, 'GET', '/v1/events?limit=100', { key: tenant.key }))
      const events = items.filter((event: { resourceType: string }) => event.resourceType === 'message')
      return events.length >= 2 + to.length && events
    })
    return {
      recipients: message.recipients.map(
        (r: { status: string; enhancedCode: string }) => `${r.status} ${r.enhancedCode}`,
      ),
      events: events.map((event: { type: string; data: { recipient?: string } }) =>
        [event.type, event.data.recipient].filter(Boolean).join(' '),
      ),
    }
  }

  test('delivered', async () => {
    assert.deepEqual(await fateOf(['you@local.test'], 'delivered'), {
      recipients: ['delivered 2.0.0'],
      events: ['message.queued', 'message.sent', 'message.delivered you@local.test'],
    })
  })

  test('bounced at once, by Postfix itself and by the next server', async () => {
    const { recipients, events } = await fateOf(['unknown@local.test'], 'bounced')
    assert.deepEqual([recipients, events.at(-1)], [['bounced 5.1.1'], 'message.bounced unknown@local.test'])
    const refused = await fateOf(['you@refusing.test'], 'bounced')
    assert.deepEqual(refused.recipients, ['bounced 5.7.1'])
  })

  test('bounced after it had been deferred', async () => {
    const { recipients, events } = await fateOf(['you@late.test'], 'bounced')
    assert.deepEqual(recipients, ['bounced 5.1.1'])
    assert.deepEqual(events, ['message.queued', 'message.sent', 'message.bounced you@late.test'])
  })

  test('partly delivered: each recipient has its own outcome, and the message the worst', async () => {
    const { recipients, events } = await fateOf(['you@local.test', 'unknown@local.test'], 'bounced')
    assert.deepEqual(recipients, ['delivered 2.0.0', 'bounced 5.1.1'])
    assert.deepEqual(events.slice(2).sort(), ['message.bounced unknown@local.test', 'message.delivered you@local.test'])
  })

  test('expired: a delay is no end, giving up is', async () => {
    const { recipients, events } = await fateOf(['you@busy.test'], 'failed')
    assert.deepEqual(recipients, ['failed 4.2.1'])
    assert.deepEqual(events, ['message.queued', 'message.sent', 'message.failed you@busy.test'])
  })
})
