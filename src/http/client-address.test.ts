import assert from 'node:assert/strict'
import { test } from 'node:test'
import ipaddr from 'ipaddr.js'
import { countedAs, isWithin } from './client-address.ts'

test('IPv6 is counted by its /64, and IPv4 as itself in whatever form', () => {
  for (const [address, expected] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['nonsense', 'unknown'],
  ] as const) {
    assert.equal(countedAs(address), expected)
  }
})

test('an address lies within the networks that hold it', () => {
  const networks = [ipaddr.parseCIDR('10.0.0.0/8'), ipaddr.parseCIDR('2001:db8::/32')]
  for (const [address, expected] of [
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['11.0.0.1', false],
    ['2001:db8::1', true],
    ['2001:db9::1', false],
    ['x', false],
  ] as const) {
    assert.equal(isWithin(address, networks), expected, address)
  }
})
