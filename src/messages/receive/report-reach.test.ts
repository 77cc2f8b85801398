import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseNetwork } from '../../lib/network.ts'
import { reachOf } from './report-reach.ts'

const relays = [parseNetwork('192.0.2.0/28'), parseNetwork('2001:db8::/64')]
const none: typeof relays = []

for (const [what, sender, clientAddress, hasEnvelopeId, networks, reach] of [
  ['with the envelope id, from anywhere', '', '203.0.113.9', true, none, 'any_recipient'],
  ['with the envelope id, from beside the relays', '', '203.0.113.9', true, relays, 'any_recipient'],
  ['of a relay', '', '192.0.2.15', false, relays, 'any_recipient'],
  ['of a relay that is written as IPv6', '', '::ffff:192.0.2.15', false, relays, 'any_recipient'],
  ['of a relay over IPv6', '', '2001:db8::f', false, relays, 'any_recipient'],
  ['from one address beyond the relays', '', '192.0.2.16', false, relays, 'nobody'],
  ['from one network beyond the relays', '', '2001:db8:0:1::', false, relays, 'nobody'],
  ['from anywhere, while no relay is named', '', '203.0.113.9', false, none, 'only_recipient'],
  ['from no address at all', '', 'unknown', false, relays, 'nobody'],
  ['with a sender, from anywhere', 'a@x.test', '203.0.113.9', false, none, 'nobody'],
  ['with a sender, of a relay', 'a@x.test', '192.0.2.15', false, relays, 'nobody'],
  ['with a sender and the envelope id', 'a@x.test', '192.0.2.15', true, relays, 'nobody'],
] as const) {
  test(`a report ${what} decides for ${reach.replace('_', ' ')}`, () => {
    assert.equal(reachOf({ sender, clientAddress, hasEnvelopeId }, networks), reach)
  })
}
