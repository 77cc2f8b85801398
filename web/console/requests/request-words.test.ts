import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationInWords, keyInWords, toneOfStatus } from './request-words.ts'

test('what is the service’s fault is told from what is the caller’s', () => {
  assert.deepEqual([400, 429, 499, 500, 503].map(toneOfStatus), ['warn', 'warn', 'warn', 'bad', 'bad'])
})

test('a key goes by its name, or else by its beginning', () => {
  assert.equal(keyInWords({ keyName: 'Shop', keyStart: 'mdk_live_abc123' }), 'Shop')
  assert.equal(keyInWords({ keyName: null, keyStart: 'mdk_live_abc123' }), 'mdk_live_abc123…')
})

test('a duration is in milliseconds up to a second', () => {
  assert.deepEqual([0, 999, 1_000, 30_040].map(durationInWords), ['0 ms', '999 ms', '1.0 s', '30.0 s'])
})
