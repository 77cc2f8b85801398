import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideOutcome, type RecipientNow, type RecipientOutcome } from './decide-outcome.ts'
import {
  MESSAGE_TRANSITIONS,
  type MessageStatus,
  RECIPIENT_STATUSES,
  RECIPIENT_TRANSITIONS,
  type RecipientStatus,
  statusFromRecipients,
} from './status.ts'

const recipients = (...statuses: RecipientStatus[]): RecipientNow[] =>
  statuses.map((status, position) => ({ position, address: `r${position}@example.test`, status }))

const outcome = (position: number, status: RecipientOutcome['status']): RecipientOutcome => ({
  position,
  status,
  smtpCode: 250,
  enhancedCode: null,
  diagnostic: null,
})

const reported = (position: number, status: RecipientOutcome['status']): RecipientOutcome => ({
  ...outcome(position, status),
  reported: true,
})

const types = (decision: ReturnType<typeof decideOutcome>) => decision.events.map((event) => event.type)

test('a message the relay took for everyone is sent, and one event says so', () => {
  const decision = decideOutcome('queued', recipients('queued', 'queued'), [outcome(0, 'sent'), outcome(1, 'sent')])
  assert.equal(decision.status, 'sent')
  assert.deepEqual(types(decision), ['message.sent'])
  assert.equal(decision.moved.length, 2)
})

test('a recipient refused for good fails while the others go on', () => {
  const decision = decideOutcome('queued', recipients('queued', 'queued'), [outcome(0, 'sent'), outcome(1, 'failed')])
  assert.equal(decision.status, 'sent')
  assert.deepEqual(types(decision), ['message.sent', 'message.failed'])
  assert.equal(decision.events[1]?.outcome?.address, 'r1@example.test')
})

test('a message that everyone was refused for fails without ever having been sent', () => {
  const decision = decideOutcome('queued', recipients('queued', 'queued'), [outcome(0, 'failed'), outcome(1, 'failed')])
  assert.equal(decision.status, 'failed')
  assert.deepEqual(types(decision), ['message.failed', 'message.failed'])
  assert.deepEqual(
    decision.events.map((event) => event.status),
    ['queued', 'failed'],
  )
})

test('a message is delivered when the last of its recipients is', () => {
  const first = decideOutcome('sent', recipients('sent', 'sent'), [outcome(0, 'delivered')])
  assert.equal(first.status, 'sent')
  const second = decideOutcome('sent', recipients('delivered', 'sent'), [outcome(1, 'delivered')])
  assert.equal(second.status, 'delivered')
})

test('once none is open the worst outcome names the message', () => {
  assert.equal(decideOutcome('sent', recipients('delivered', 'sent'), [outcome(1, 'bounced')]).status, 'bounced')
  assert.equal(decideOutcome('sent', recipients('bounced', 'sent'), [outcome(1, 'failed')]).status, 'failed')
})

test('a late bounce follows a delivery, and nothing else leads back', () => {
  assert.equal(decideOutcome('delivered', recipients('delivered'), [outcome(0, 'bounced')]).status, 'bounced')
  for (const [status, later] of [
    ['bounced', 'delivered'],
    ['failed', 'delivered'],
    ['failed', 'bounced'],
    ['delivered', 'failed'],
    ['delivered', 'sent'],
    ['bounced', 'sent'],
  ] as const) {
    const decision = decideOutcome(statusFromRecipients([status]), recipients(status), [outcome(0, later)])
    assert.deepEqual([decision.moved, decision.events, decision.status], [[], [], status])
  }
})

test('a report that comes twice changes nothing the second time', () => {
  const decision = decideOutcome('delivered', recipients('delivered'), [outcome(0, 'delivered')])
  assert.deepEqual(decision, { moved: [], status: 'delivered', events: [] })
})

test('a report that overtakes our own record proves submission, whatever it says', () => {
  for (const status of ['delivered', 'bounced', 'failed'] as const) {
    const decision = decideOutcome('queued', recipients('queued'), [reported(0, status)])
    assert.deepEqual(types(decision), ['message.sent', `message.${status}`])
    assert.equal(decision.status, status)
    assert.deepEqual(decision.moved, [reported(0, status)])
    const record = decideOutcome(status, recipients(status), [outcome(0, 'sent')])
    assert.deepEqual([record.moved, record.events, record.status], [[], [], status])
  }
})

test('what is reported of one recipient proves that the message was sent, and says nothing of the others', () => {
  const first = decideOutcome('queued', recipients('queued', 'queued', 'failed'), [reported(0, 'failed')])
  assert.deepEqual(
    first.events.map((event) => [event.type, event.status, event.outcome?.position]),
    [
      ['message.sent', 'sent', undefined],
      ['message.failed', 'sent', 0],
    ],
  )
  // Our own record comes after it: the first is known, the second was taken too.
  const record = decideOutcome(first.status, recipients('failed', 'queued', 'failed'), [
    outcome(0, 'sent'),
    outcome(1, 'sent'),
  ])
  assert.deepEqual([record.events, record.moved, record.status], [[], [outcome(1, 'sent')], 'sent'])
  const last = decideOutcome(record.status, recipients('failed', 'sent', 'failed'), [reported(1, 'failed')])
  assert.deepEqual([types(last), last.status], [['message.failed'], 'failed'])
})

test('whatever comes, each move is one the table allows and each outcome is one event', () => {
  const status = fc.constantFrom<RecipientStatus>('queued', 'sent', 'delivered', 'bounced', 'failed')
  const item = fc.record({
    position: fc.integer({ min: 0, max: 5 }),
    status: fc.constantFrom<RecipientOutcome['status']>('sent', 'delivered', 'bounced', 'failed'),
    reported: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(status, { minLength: 1, maxLength: 5 }), fc.array(item, { maxLength: 12 }), (from, items) => {
      const before = statusFromRecipients(from)
      const decision = decideOutcome(
        before,
        recipients(...from),
        items.map((i) => (i.reported ? reported : outcome)(i.position, i.status)),
      )
      let at: MessageStatus = before
      for (const event of decision.events) {
        assert(event.status === at || MESSAGE_TRANSITIONS[at].includes(event.status), `${at} → ${event.status}`)
        at = event.status
      }
      assert.equal(at, decision.status)
      const after = from.map((s, i) => decision.moved.find((m) => m.position === i)?.status ?? s)
      // What was sent once is not queued again, though all who were reached may have failed since.
      const expected = statusFromRecipients(after)
      assert(decision.status === expected || (expected === 'queued' && decision.status === 'sent'))
      const final = decision.events.filter((e) => e.outcome).map((e) => `${e.type} ${e.outcome?.position}`)
      assert.equal(new Set(final).size, final.length)
    }),
    { numRuns: 2000 },
  )
})

const STATUSES = ['sent', 'delivered', 'bounced', 'failed'] as const

test('a recipient moves from each state by each outcome to where the table leads, and by no other', () => {
  for (const from of RECIPIENT_STATUSES) {
    for (const status of STATUSES) {
      for (const item of [outcome(0, status), reported(0, status)]) {
        // What is reported of a queued recipient goes by way of sent.
        const proven = from === 'queued' && item.reported === true
        const leads = proven || RECIPIENT_TRANSITIONS[from].includes(status)
        const { moved } = decideOutcome(statusFromRecipients([from]), recipients(from), [item])
        assert.deepEqual(
          moved.map(({ status }) => status),
          leads ? [status] : [],
          `${from}, ${status}, ${item.reported}`,
        )
      }
    }
  }
})

test('from the queue a message takes every way of the table, and no other', () => {
  const ways = new Set<string>()
  const seen = new Set<string>()
  const walk = (status: MessageStatus, now: RecipientStatus[]) => {
    const key = `${status} ${now}`
    if (seen.has(key)) return
    seen.add(key)
    for (const [position, next, isReported] of now.flatMap((_, i) =>
      STATUSES.flatMap((each) => [[i, each, false] as const, [i, each, true] as const]),
    )) {
      const item = isReported ? reported(position, next) : outcome(position, next)
      const decision = decideOutcome(status, recipients(...now), [item])
      let at = status
      for (const event of decision.events) {
        if (event.status !== at) ways.add(`${at} ${event.status}`)
        at = event.status
      }
      assert.equal(at, decision.status)
      walk(
        decision.status,
        now.map((before, i) => decision.moved.find((moved) => moved.position === i)?.status ?? before),
      )
    }
  }
  for (const count of [1, 2, 3]) walk('queued', Array<RecipientStatus>(count).fill('queued'))
  const table = Object.entries(MESSAGE_TRANSITIONS).flatMap(([from, targets]) => targets.map((to) => `${from} ${to}`))
  assert.deepEqual([...ways].sort(), table.sort())
})
