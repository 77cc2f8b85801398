import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventDataText } from './event-text.ts'

test('the data of an event begins with its resource, whatever else it says', () => {
  const id = '01890000-0000-7000-8000-000000000001'
  for (const kept of ['{}', '{"subject":"x"}', '{"subject" : "x", "to" : [{}]}']) {
    assert.deepEqual(JSON.parse(eventDataText('message', id, kept)), { object: 'message', id, ...JSON.parse(kept) })
  }
})
