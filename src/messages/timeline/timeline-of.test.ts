import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredRecipient } from '../recipients.ts'
import { type KeptTry, type KnownEvent, type KnownMessage, timelineOf } from './timeline-of.ts'

const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000000Z`
const recipient = (address: string, more: Partial<StoredRecipient> = {}): StoredRecipient => ({
  ...{ address, kind: 'to', status: 'queued' },
  ...more,
})
const message = (more: Partial<KnownMessage> = {}): KnownMessage => ({
  ...{
    direction: 'outbound',
    createdAt: at(0),
    isSimulated: false,
    app: null,
    user: null,
    request: null,
    sentAt: null,
  },
  recipients: [recipient('a@example.test'), recipient('b@example.test')],
  ...more,
})
const event = (second: number, type: string, data: Record<string, unknown> = {}): KnownEvent => {
  return { type: `message.${type}`, at: at(second), data }
}
const kept = (first: number, last: number, answers: KeptTry['answers'], more: Partial<KeptTry> = {}): KeptTry => ({
  ...{ times: 1, firstAt: at(first), lastAt: at(last), result: 'accepted', answers, nextAttemptAt: null },
  ...more,
})
const answer = (
  positions: number[],
  outcome: 'sent' | 'deferred' | 'failed',
  smtpCode: number | null,
  text: string,
) => {
  return { positions, outcome, smtpCode, enhancedCode: null, text }
}
const brief = (items: ReturnType<typeof timelineOf>) => items.map(({ kind, at }) => `${kind} ${at.slice(17, 19)}`)

test('a message that went through at once has one try, with the words of its event', () => {
  const items = timelineOf(
    message({ sentAt: at(2) }),
    [
      event(1, 'queued'),
      event(2, 'sent', { relayResponse: '250 2.0.0 Ok: taken' }),
      event(5, 'delivered', { recipient: 'a@example.test', smtpCode: 250, enhancedCode: '2.1.5', diagnostic: 'there' }),
    ],
    [],
  )
  assert.deepEqual(brief(items), ['accepted 00', 'try 02', 'sent 02', 'delivered 05'])
  const recipients = ['a@example.test', 'b@example.test']
  const reply = { smtpCode: 250, enhancedCode: '2.0.0', text: 'Ok: taken' }
  assert.deepEqual(items[1], {
    ...{ kind: 'try', at: at(2), firstAt: at(2), times: 1, result: 'accepted', nextAttemptAt: null },
    answers: [{ recipients, outcome: 'sent', ...reply }],
  })
  assert.deepEqual(items[3], {
    ...{ kind: 'delivered', at: at(5), recipient: 'a@example.test', bounceType: null },
    ...{ smtpCode: 250, enhancedCode: '2.1.5', text: 'there' },
  })
})

test('of a message with many recipients the first try had a hundred of them', () => {
  const recipients = Array.from({ length: 101 }, (_, i) => recipient(`r${i}@example.test`))
  const second = kept(3, 3, [answer([100], 'sent', 250, 'Ok')])
  const items = timelineOf(
    message({ recipients, sentAt: at(2) }),
    [event(2, 'sent', { relayResponse: '250 Ok' })],
    [second],
  )
  assert.deepEqual(brief(items), ['accepted 00', 'try 02', 'sent 02', 'try 03'])
  const sizes = items.flatMap((item) => (item.kind === 'try' ? item.answers.map((each) => each.recipients.length) : []))
  assert.deepEqual(sizes, [100, 1])
})

test('a try that was kept is not made up again, and comes before what it brought about', () => {
  const tries = [
    kept(1, 4, [answer([0, 1], 'deferred', null, 'connection refused')], {
      times: 3,
      result: 'unreached',
      nextAttemptAt: at(6),
    }),
    kept(6, 6, [answer([0], 'sent', 250, 'Ok'), answer([1], 'failed', 550, 'no')]),
  ]
  const events = [
    event(0, 'queued'),
    event(6, 'sent', { relayResponse: '250 Ok' }),
    event(6, 'failed', { recipient: 'b@example.test', smtpCode: 550, diagnostic: 'no' }),
  ]
  const items = timelineOf(message({ sentAt: at(6) }), events, tries)
  assert.deepEqual(brief(items), ['accepted 00', 'try 04', 'try 06', 'sent 06', 'failed 06'])
  const [, first, second] = items
  assert(first?.kind === 'try' && second?.kind === 'try')
  assert.deepEqual([first.times, first.firstAt, first.nextAttemptAt, first.result], [3, at(1), at(6), 'unreached'])
  assert.deepEqual(
    second.answers.map(({ recipients, outcome }) => [recipients, outcome]),
    [
      [['a@example.test'], 'sent'],
      [['b@example.test'], 'failed'],
    ],
  )
})

test('what a report alone has proven has no try of ours', () => {
  const items = timelineOf(message({ sentAt: at(2) }), [event(2, 'sent', { relayResponse: null })], [])
  assert.deepEqual(brief(items), ['accepted 00', 'sent 02'])
})

test('without its events a message shows what its state knows', () => {
  const recipients = [
    recipient('a@example.test', { status: 'delivered', smtpCode: 250, diagnostic: 'there', updatedAt: at(7) }),
    recipient('b@example.test', { status: 'bounced', enhancedCode: '5.1.1', updatedAt: at(8), complainedAt: at(9) }),
    recipient('c@example.test', { status: 'sent', updatedAt: at(2) }),
  ]
  const items = timelineOf(message({ recipients, sentAt: at(2) }), [], [])
  assert.deepEqual(brief(items), ['accepted 00', 'sent 02', 'delivered 07', 'bounced 08', 'complained 09'])
  const known = [
    event(7, 'delivered', { recipient: 'a@example.test' }),
    event(8, 'bounced', { recipient: 'b@example.test' }),
  ]
  assert.equal(timelineOf(message({ recipients, sentAt: at(2) }), known, []).length, items.length)
})

test('a late bounce stands behind the delivery', () => {
  const recipients = [recipient('a@example.test', { status: 'bounced', updatedAt: at(9) })]
  const events = [
    event(3, 'delivered', { recipient: 'a@example.test' }),
    event(9, 'bounced', { recipient: 'a@example.test', bounce: { type: 'permanent' } }),
  ]
  const items = timelineOf(message({ recipients, sentAt: at(1) }), events, [])
  assert.deepEqual(brief(items), ['accepted 00', 'sent 01', 'delivered 03', 'bounced 09'])
  assert.equal(items[3]?.kind === 'bounced' && items[3].bounceType, 'permanent')
})

test('a received message begins with its mailboxes, and shows how it was filed and deleted', () => {
  const received = message({ direction: 'inbound', recipients: [] })
  const events = [
    event(0, 'received', { mailboxIds: ['m1', 'm2'] }),
    event(1, 'updated', { mailboxId: 'm1', changes: { isRead: true } }),
    event(2, 'updated', { mailboxId: 'm1', changes: { folder: 'trash' } }),
    event(3, 'deleted', { mailboxIds: ['m1'], reason: 'trash_expired' }),
  ]
  const items = timelineOf(received, events, [])
  assert.deepEqual(items, [
    { kind: 'received', at: at(0), mailboxIds: ['m1', 'm2'] },
    { kind: 'updated', at: at(1), mailboxId: 'm1', isRead: true, isStarred: null, folder: null },
    { kind: 'updated', at: at(2), mailboxId: 'm1', isRead: null, isStarred: null, folder: 'trash' },
    { kind: 'deleted', at: at(3), mailboxIds: ['m1'], reason: 'trash_expired' },
  ])
  assert.deepEqual(brief(timelineOf(received, [], [])), ['received 00'])
})

test('an event that somebody made up in a sandbox shows what of it can be shown', () => {
  const odd = {
    recipient: { a: 1 },
    smtpCode: '550',
    enhancedCode: 5,
    diagnostic: [],
    bounce: 'x',
    changes: null,
    mailboxIds: [1, 'm'],
  }
  for (const type of ['sent', 'delivered', 'bounced', 'failed', 'updated', 'deleted', 'received', 'unheard-of'])
    timelineOf(message(), [event(1, type, odd)], [])
  const [, bounced] = timelineOf(message(), [event(1, 'bounced', odd)], [])
  assert.deepEqual(bounced, {
    ...{ kind: 'bounced', at: at(1), recipient: '', bounceType: null },
    ...{ smtpCode: null, enhancedCode: null, text: null },
  })
})
