import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgottenIn } from './before-sending.ts'

const draft = { subject: 'Invoice 7', kind: 'reply' } as const

test('an empty subject and an attachment that is spoken of are missed', () => {
  assert.deepEqual(forgottenIn(draft, 'See the attached invoice.', 0), ['attachment'])
  assert.deepEqual(forgottenIn({ ...draft, subject: ' ' }, 'Die Rechnung ist im Anhang.', 0), ['subject', 'attachment'])
})

test('nothing is missed where nothing is', () => {
  assert.deepEqual(forgottenIn(draft, 'See the attached invoice.', 1), [])
  assert.deepEqual(forgottenIn({ ...draft, kind: 'forward' }, 'attached', 0), [])
  assert.deepEqual(forgottenIn(draft, 'I reattached nothing, unattached as I am.', 0), [])
})
