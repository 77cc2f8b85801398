import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importInWords, stopInWords, timesInWords } from './stop-words.ts'

test('how often an address bounced and complained is said in words', () => {
  assert.equal(timesInWords({ bounces: 0, complaints: 0 }), undefined)
  assert.equal(timesInWords({ bounces: 1, complaints: 0 }), 'bounced once')
  assert.equal(timesInWords({ bounces: 2, complaints: 1 }), 'bounced twice, complained once')
  assert.equal(timesInWords({ bounces: 1_200, complaints: 3 }), 'bounced 1,200 times, complained 3 times')
})

test('who stopped an address is named, as far as that is known', () => {
  assert.equal(stopInWords({ reason: 'bounce', by: null }), 'automatically, after a bounce')
  assert.equal(stopInWords({ reason: 'complaint', by: null }), 'automatically, after a complaint')
  assert.equal(stopInWords({ reason: 'manual', by: { kind: 'person', name: 'Ada' } }), 'by Ada')
  assert.equal(stopInWords({ reason: 'manual', by: { kind: 'person', name: null } }), 'by somebody who has left')
  assert.equal(stopInWords({ reason: 'import', by: { kind: 'operator', name: null } }), 'in an import by the operator')
})

test('an import says how many addresses are stopped by it, and how many were before', () => {
  assert.equal(importInWords({ added: 1, known: 0 }), '1 address is stopped.')
  assert.equal(importInWords({ added: 1_000, known: 1 }), '1,000 addresses are stopped; 1 already was.')
  assert.equal(importInWords({ added: 0, known: 2 }), '0 addresses are stopped; 2 already were.')
})
