import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNetwork } from '../../lib/network.ts'
import { createAdmission, MOST_CONNECTIONS_OF_ONE, MOST_NEW_IN_A_MINUTE } from './admission.ts'

test('one client has so many connections at once, and another is not troubled by it', () => {
  const admission = createAdmission([])
  for (let i = 0; i < MOST_CONNECTIONS_OF_ONE; i++) assert.equal(admission.enter('192.0.2.1', 0), undefined)
  assert.match(admission.enter('192.0.2.1', 0) ?? '', /Too many/)
  admission.leave('192.0.2.1')
  assert.equal(admission.enter('192.0.2.2', 0), undefined)
  admission.leave('192.0.2.1')
  assert.equal(admission.enter('192.0.2.1', 0), undefined)
})

test('one client opens so many in a minute, and again in the next; IPv6 counts by its /64', () => {
  const admission = createAdmission([])
  for (let i = 0; i < MOST_NEW_IN_A_MINUTE; i++) {
    const address = `2001:db8::${i.toString(16)}`
    assert.equal(admission.enter(address, 1_000), undefined)
    admission.leave(address)
  }
  assert.match(admission.enter('2001:db8::ffff:1', 59_000) ?? '', /in a minute/)
  admission.leave('2001:db8::ffff:1')
  assert.equal(admission.enter('2001:db8::ffff:1', 60_000), undefined)
})

test('whoever brings the mail of many is not counted', () => {
  const admission = createAdmission([parseNetwork('192.0.2.0/24')])
  for (let i = 0; i <= MOST_NEW_IN_A_MINUTE; i++) assert.equal(admission.enter('::ffff:192.0.2.1', 0), undefined)
  for (let i = 0; i < MOST_CONNECTIONS_OF_ONE; i++) assert.equal(admission.enter('198.51.100.1', 0), undefined)
  assert.match(admission.enter('198.51.100.1', 0) ?? '', /Too many/)
})
