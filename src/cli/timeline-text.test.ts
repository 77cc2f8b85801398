import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageTimeline, TimelineItem } from '../messages/timeline/schemas.ts'
import { timelineText } from './timeline-text.ts'

const at = (second: number) => `2026-01-01T00:00:0${second}.000000Z`
const reply = (smtpCode: number | null, enhancedCode: string | null, text: string) => ({ smtpCode, enhancedCode, text })
const text = (items: TimelineItem[], more: Partial<MessageTimeline> = {}) =>
  timelineText({ items, isCut: false, isHeld: false, waiting: null, ...more }).split('\n')

test('what happened to a message stands line by line, each in words', () => {
  const recipients = ['a@example.test', 'b@example.test', 'c@example.test', 'd@example.test', 'e@example.test']
  const request = { requestId: 'r1', key: { id: 'k1', name: 'shop' }, clientAddress: '192.0.2.1', userAgent: null }
  const [refused, busy] = [reply(550, '5.1.1', 'no such user'), reply(451, null, 'greylisted')]
  const lines = text([
    { kind: 'accepted', at: at(0), app: { id: 'a1', name: 'Shop' }, user: null, request, isSimulated: false },
    {
      ...{ kind: 'try', at: at(2), firstAt: at(1), times: 2, result: 'unreached', nextAttemptAt: at(3) },
      answers: [{ recipients, outcome: 'deferred', ...reply(null, null, 'connection refused') }],
    },
    {
      ...{ kind: 'try', at: at(3), firstAt: at(3), times: 1, result: 'accepted', nextAttemptAt: at(9) },
      answers: [
        { recipients: ['a@example.test'], outcome: 'failed', ...refused },
        { recipients: ['b@example.test'], outcome: 'deferred', ...busy },
      ],
    },
    { kind: 'sent', at: at(3), relayResponse: '250 Ok' },
    { kind: 'failed', at: at(3), recipient: 'a@example.test', ...refused, bounceType: null },
    { kind: 'complained', at: at(5), recipient: 'c@example.test' },
  ])
  assert.deepEqual(lines, [
    '2026-01-01 00:00:00Z  accepted from Shop, with key shop at 192.0.2.1, request r1',
    '2026-01-01 00:00:02Z  tried 2 times since 2026-01-01 00:00:01Z (unreached), deferred: a@example.test, b@example.test, ' +
      'c@example.test and 2 more: connection refused; next at 2026-01-01 00:00:03Z at the latest',
    '2026-01-01 00:00:03Z  tried (accepted), failed: a@example.test: 550 5.1.1 no such user',
    '2026-01-01 00:00:03Z  tried (accepted), deferred: b@example.test: 451 greylisted; next at 2026-01-01 00:00:09Z at the latest',
    '2026-01-01 00:00:03Z  sent',
    '2026-01-01 00:00:03Z  failed: a@example.test: 550 5.1.1 no such user',
    '2026-01-01 00:00:05Z  c@example.test complained',
  ])
})

test('a received message shows where it went', () => {
  const lines = text([
    { kind: 'received', at: at(0), mailboxIds: ['m1', 'm2'] },
    { kind: 'updated', at: at(1), mailboxId: 'm1', isRead: true, isStarred: false, folder: 'trash' },
    { kind: 'deleted', at: at(2), mailboxIds: ['m1'], reason: 'trash_expired' },
  ])
  assert.deepEqual(lines, [
    '2026-01-01 00:00:00Z  received by m1, m2',
    '2026-01-01 00:00:01Z  changed in m1: read, not starred, to trash',
    '2026-01-01 00:00:02Z  deleted from m1: trash_expired',
  ])
})

test('what it waits for stands at the end, and what strangers say steers no terminal', () => {
  for (const [what, words] of [
    ['turn', /waits for a worker/],
    ['time', /next attempt at 2026-01-01 00:00:09Z/],
    ['relay', /the relay to answer again.*2026-01-01 00:00:09Z at the latest/],
    ['lane', /lane is held/],
    ['submission', /is being submitted/],
  ] as const) {
    const until = what === 'time' || what === 'relay' ? at(9) : null
    assert.match(text([], { waiting: { for: what, until } }).at(-1) ?? '', words)
  }
  const [line] = text([
    { kind: 'bounced', at: at(1), recipient: 'a@example.test', ...reply(550, null, '\u001b[2J\nno'), bounceType: null },
  ])
  assert.doesNotMatch(line ?? '', /\p{Cc}/u)
  assert.equal(text([], { isCut: true, isHeld: true }).length, 2)
})
