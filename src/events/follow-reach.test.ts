import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Change } from './follow-feed.ts'
import { changesWithin } from './follow-reach.ts'

const change = (cursor: string, mailboxIds: string[]): Change => ({
  type: 'message.received',
  resourceId: cursor,
  mailboxIds,
  cursor,
})

test('who has some mailboxes hears of what concerns them, and of no other mailbox', () => {
  const changes = [change('1', ['a', 'x', 'b']), change('2', ['x']), change('3', []), change('4', ['b'])]
  const cases: [string[], Change[]][] = [
    [
      ['a', 'b'],
      [change('1', ['a', 'b']), change('4', ['b'])],
    ],
    [['x'], [change('1', ['x']), change('2', ['x'])]],
    [['other'], []],
    [[], []],
  ]
  for (const [mailboxes, heard] of cases) assert.deepEqual(changesWithin(changes, new Set(mailboxes)), heard)
})
