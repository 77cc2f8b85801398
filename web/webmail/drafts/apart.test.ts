import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apart } from './apart.ts'
import type { Kept } from './draft-parts.ts'
import { EMPTY } from './fake-drafts.ts'

const kept = (draftId: string, body: string): Kept => ({
  draftId,
  keptAtMs: 0,
  ...{ stored: null, initial: EMPTY, content: { ...EMPTY, body }, attempt: null, attachments: [], wish: null },
})

test('of several texts of one draft the newest is the draft, and each other one that says something else a draft of its own', () => {
  const found = apart([kept('a', 'newest'), kept('b', 'other'), kept('a', 'older'), kept('a', 'newest'), kept('a', '')])
  assert.deepEqual(
    found.map(({ content }) => content.body),
    ['newest', 'other', 'older'],
  )
  assert.deepEqual([found[0]?.draftId, found[1]?.draftId], ['a', 'b'])
  assert(!['a', 'b'].includes(found[2]?.draftId ?? ''))
})
