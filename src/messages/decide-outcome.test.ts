import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideOutcome, type RecipientNews, type RecipientNow } from './decide-outcome.ts'
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

const news = (position: number, status: RecipientNews['status']): RecipientNews => ({
  position,
  status,
  smtpCode: 250,
  enhancedCode: null,
  diagnostic: null,
})

const reported = (position: number, status: RecipientNews['status']): RecipientNews => ({
  ...news(position, status),
  reported: true,
})

const types = (decision: ReturnType<typeof decideOutcome>) => decision.told.map((told) => told.type)

test('a message the relay took for everyone is sent, and told once', () => {
  const decision = decideOutcome('queued', recipients('queued', 'queued'), [news(0, 'sent'), news(1, 'sent')])
  assert.equal(decision.status, 'sent')
  assert.deepEqual(types(decision), ['message.sent'])
  assert.equal(decision.moved.length, 2)
})

test('a recipient refused for good fails while the others go on', () => {
  const decision = decideOutcome('queued', recipients('queued', 'queued'), [news(0, 'sent'), news(1, 'failed')])
  assert.equal(decision.status, 'sent')
  assert.deepEqual(types(decision), ['message.sent', 'message.failed'])
  assert.equal(decision.told[1]?.news?.address, 'r1@example.test')
})

test('a message that everyone was refused for fails without ever having been sent', () => {
  const decision = decideOutcome('queued', recipients('queued', 'queued'), [news(0, 'failed'), news(1, 'failed')])
  assert.equal(decision.status, 'failed')
  assert.deepEqual(types(decision), ['message.failed', 'message.failed'])
  assert.deepEqual(
    decision.told.map((told) => told.status),
    ['queued', 'failed'],
  )
})

test('a message is delivered when the last of its recipients is', () => {
  const first = decideOutcome('sent', recipients('sent', 'sent'), [news(0, 'delivered')])
  assert.equal(first.status, 'sent')
  const second = decideOutcome('sent', recipients('delivered', 'sent'), [news(1, 'delivered')])
  assert.equal(second.status, 'delivered')
})

test('once none is open the worst fate names the message', () => {
  assert.equal(decideOutcome('sent', recipients('delivered', 'sent'), [news(1, 'bounced')]).status, 'bounced')
  assert.equal(decideOutcome('sent', recipients('bounced', 'sent'), [news(1, 'failed')]).status, 'failed')
})

test('a late bounce follows a delivery, and nothing else leads back', () => {
  assert.equal(decideOutcome('delivered', recipients('delivered'), [news(0, 'bounced')]).status, 'bounced')
  for (const [status, later] of [
    ['bounced', 'delivered'],
    ['failed', 'delivered'],
    ['failed', 'bounced'],
    ['delivered', 'failed'],
    ['delivered', 'sent'],
    ['bounced', 'sent'],
  ] as const) {
    const decision = decideOutcome(statusFromRecipients([status]), recipients(status), [news(0, later)])
    assert.deepEqual([decision.moved, decision.told, decision.status], [[], [], status])
  }
})

test('a report told twice changes nothing the second time', () => {
  const decision = decideOutcome('delivered', recipients('delivered'), [news(0, 'delivered')])
  assert.deepEqual(decision, { moved: [], status: 'delivered', told: [] })
})

test('a report that overtakes our own record proves submission, whatever it tells', () => {
  for (const fate of ['delivered', 'bounced', 'failed'] as const) {
    const decision = decideOutcome('queued', recipients('queued'), [reported(0, fate)])
    assert.deepEqual(types(decision), ['message.sent', `message.${fate}`])
    assert.equal(decision.status, fate)
    assert.deepEqual(decision.moved, [reported(0, fate)])
    const record = decideOutcome(fate, recipients(fate), [news(0, 'sent')])
    assert.deepEqual([record.moved, record.told, record.status], [[], [], fate])
  }
})

test('what is reported of one recipient proves that the message was sent, and says nothing of the others', () => {
  const first = decideOutcome('queued', recipients('queued', 'queued', 'failed'), [reported(0, 'failed')])
  assert.deepEqual(
    first.told.map((told) => [told.type, told.status, told.news?.position]),
    [
      ['message.sent', 'sent', undefined],
      ['message.failed', 'sent', 0],
    ],
  )
  // Our own record comes after it: the first is known, the second was taken too.
  const record = decideOutcome(first.status, recipients('failed', 'queued', 'failed'), [
    news(0, 'sent'),
    news(1, 'sent'),
  ])
  assert.deepEqual([record.told, record.moved, record.status], [[], [news(1, 'sent')], 'sent'])
  const last = decideOutcome(record.status, recipients('failed', 'sent', 'failed'), [reported(1, 'failed')])
  assert.deepEqual([types(last), last.status], [['message.failed'], 'failed'])
})

test('whatever the news, each move is one the table allows and each fate is told once', () => {
  const status = fc.constantFrom<RecipientStatus>('queued', 'sent', 'delivered', 'bounced', 'failed')
  const item = fc.record({
    position: fc.integer({ min: 0, max: 5 }),
    status: fc.constantFrom<RecipientNews['status']>('sent', 'delivered', 'bounced', 'failed'),
    reported: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(status, { minLength: 1, maxLength: 5 }), fc.array(item, { maxLength: 12 }), (from, items) => {
      const before = statusFromRecipients(from)
      const decision = decideOutcome(
        before,
        recipients(...from),
        items.map((i) => (i.reported ? reported : news)(i.position, i.status)),
      )
      let at: MessageStatus = before
      for (const told of decision.told) {
        assert(told.status === at || MESSAGE_TRANSITIONS[at].includes(told.status), `${at} → ${told.status}`)
        at = told.status
      }
      assert.equal(at, decision.status)
      const after = from.map((s, i) => decision.moved.find((m) => m.position === i)?.status ?? s)
      // What was sent once is not queued again, though all who were reached may have failed since.
      const expected = statusFromRecipients(after)
      assert(decision.status === expected || (expected === 'queued' && decision.status === 'sent'))
      const fates = decision.told.filter((t) => t.news).map((t) => `${t.type} ${t.news?.position}`)
      assert.equal(new Set(fates).size, fates.length)
    }),
    { numRuns: 2000 },
  )
})

const NEWS = ['sent', 'delivered', 'bounced', 'failed'] as const

test('a recipient moves from each state by each word to where the table leads, and by no other', () => {
  for (const from of RECIPIENT_STATUSES) {
    for (const word of NEWS) {
      for (const item of [news(0, word), reported(0, word)]) {
        // What is reported of a queued recipient goes by way of sent.
        const proven = from === 'queued' && item.reported === true
        const leads = proven || RECIPIENT_TRANSITIONS[from].includes(word)
        const { moved } = decideOutcome(statusFromRecipients([from]), recipients(from), [item])
        assert.deepEqual(
          moved.map(({ status }) => status),
          leads ? [word] : [],
          `${from}, ${word}, ${item.reported}`,
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
    for (const [position, word, isReported] of now.flatMap((_, i) =>
      NEWS.flatMap((each) => [[i, each, false] as const, [i, each, true] as const]),
    )) {
      const item = isReported ? reported(position, word) : news(position, word)
      const decision = decideOutcome(status, recipients(...now), [item])
      let at = status
      for (const told of decision.told) {
        if (told.status !== at) ways.add(`${at} ${told.status}`)
        at = told.status
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
