import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lineOf, pathOf } from './screen.ts'

const of = { resource_id: 'm', environment_id: 't' }

test('a line of the screen is one line, whatever was received', () => {
  const step = { id: 'x', type: 'message.received', occurred_at: '2026-01-05T10:00:00Z', detail: null, ...of }
  assert.equal(
    lineOf({ ...step, subject: '\x1b]52;c;bGVhaw==\x07Hi\n  10:00:01  message.sent' }),
    '  10:00:00  message.received    \ufffd]52;c;bGVhaw==\ufffdHi\ufffd  10:00:01  message.sent',
  )
  assert.match(lineOf({ ...step, subject: 'Hi', detail: '250 \x9bok' }), / {2}Hi {2}\(250 \ufffdok\)$/)
})

test('what begins a message leads to what is in it, in its environment', () => {
  assert.equal(pathOf({ type: 'message.queued', ...of }, 't'), '/messages/m?view=content')
  assert.equal(
    pathOf({ type: 'message.received', resource_id: 'm', environment_id: 's' }, 't'),
    '/messages/m?view=content&environment=sandbox:s',
  )
  assert.equal(pathOf({ type: 'message.sent', ...of }, 't'), undefined)
})
