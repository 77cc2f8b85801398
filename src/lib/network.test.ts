import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientNetwork, isWithin, parseNetwork } from './network.ts'

const spelt = (text: string) => {
  const [address, bits] = parseNetwork(text)
  return `${address.toString()}/${bits}`
}

test('a network is read as everybody reads it', () => {
  for (const [text, expected] of [
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['192.0.2.1', '192.0.2.1/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['192.0.2.1/32', '192.0.2.1/32'],
    ['::1', '::1/128'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['::/0', '::/0'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:192.0.2.1', '192.0.2.1/32'],
  ] as const) {
    assert.equal(spelt(text), expected, text)
  }
})

test('a spelling that programs read differently is refused', () => {
  const odd = [
    '010.0.0.0/8',
    '10.1',
    '10/8',
    '0x0a.0.0.1',
    '167772161',
    '1.2.3.04',
    '256.0.0.1',
    '1.2.3.4.5',
    ' 10.0.0.1',
  ]
  const prefixes = [
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/+8',
    '10.0.0.0/8/8',
    '::1/129',
    '::ffff:0:0/95',
  ]
  const others = ['', '/8', 'localhost', 'fe80::1%eth0', ':::1', '2001:db8', '::ffff:010.0.0.1', '[::1]']
  for (const text of [...odd, ...prefixes, ...others]) assert.throws(() => parseNetwork(text), /"/, text)
})

test('IPv6 is one client by its /64, and IPv4 by itself in whatever form', () => {
  for (const [address, expected] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['fe80::1:2:3:4%eth0', 'fe80:0:0:0::/64'],
    ['nonsense', 'unknown'],
    ['010.0.0.1', 'unknown'],
    ['10.1', 'unknown'],
    ['0x7f000001', 'unknown'],
  ] as const) {
    assert.equal(clientNetwork(address), expected)
  }
})

test('an address lies within the networks that hold it', () => {
  const networks = ['10.0.0.0/8', '2001:db8::/32'].map(parseNetwork)
  for (const [address, expected] of [
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['11.0.0.1', false],
    ['2001:db8::1', true],
    ['2001:db9::1', false],
    ['x', false],
    // Others may read these as 10.0.0.1, or as 8.0.0.1.
    ['10.1', false],
    ['010.0.0.1', false],
    ['0xa.0.0.1', false],
  ] as const) {
    assert.equal(isWithin(address, networks), expected, address)
  }
})
