import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseNetwork } from '../network.ts'
import { classifyAddress, isInNetworks } from './address.ts'

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
  '2001:200::1',
]

const NOT_PUBLIC: readonly [address: string, expected: string][] = [
  ['0.0.0.0', 'unspecified'],
  ['0.255.255.255', 'unspecified'],
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.0', 'carrierGradeNat'],
  ['100.127.255.255', 'carrierGradeNat'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.255', 'loopback'],
  ['169.254.169.254', 'linkLocal'],
  ['172.16.0.0', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'reserved'],
  ['192.0.0.192', 'reserved'],
  ['192.0.2.1', 'reserved'],
  ['192.88.99.1', 'reserved'],
  ['192.168.0.0', 'private'],
  ['192.168.255.255', 'private'],
  ['198.18.0.0', 'reserved'],
  ['198.19.255.255', 'reserved'],
  ['198.51.100.7', 'reserved'],
  ['203.0.113.5', 'reserved'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::7f00:1', 'reserved'],
  // ipaddr.js reads the deprecated compatible form as the mapped one; neither is public.
  ['::127.0.0.1', 'ipv4Mapped'],
  ['::8.8.8.8', 'ipv4Mapped'],
  ['::ffff:127.0.0.1', 'ipv4Mapped'],
  ['::ffff:8.8.8.8', 'ipv4Mapped'],
  ['::FFFF:7F00:1', 'ipv4Mapped'],
  ['::ffff:0:127.0.0.1', 'rfc6145'],
  ['64:ff9b::a9fe:a9fe', 'rfc6052'],
  ['64:ff9b::8.8.8.8', 'rfc6052'],
  ['64:ff9b:1::a00:1', 'rfc6052'],
  ['100::1', 'discard'],
  ['100:0:0:1::1', 'reserved'],
  ['2001::1', 'teredo'],
  ['2001:0:53aa:64c:0:fbff:f5ff:fffe', 'teredo'],
  ['2001:2::1', 'benchmarking'],
  ['2001:10::1', 'deprecatedOrchid'],
  ['2001:20::1', 'orchid2'],
  ['2001:1ff::1', 'reserved'],
  ['2001:db8::1', 'reserved'],
  ['2002:7f00:1::', '6to4'],
  ['2002:808:808::1', '6to4'],
  ['3fff::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'segmentRouting'],
  ['fc00::1', 'uniqueLocal'],
  ['fd00:ec2::254', 'uniqueLocal'],
  ['fe80::1', 'linkLocal'],
  ['fec0::1', 'deprecatedSiteLocal'],
  ['ff02::1', 'multicast'],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'multicast'],
  ['2606:4700::5efe:7f00:1', 'isatap'],
  ['2606:4700::200:5efe:10.0.0.1', 'isatap'],
  ['fe80::5efe:192.168.0.1', 'isatap'],
  ['fe80::1%lo', 'malformed'],
  ['::1%0', 'malformed'],
  ['0177.0.0.1', 'malformed'],
  ['0x7f000001', 'malformed'],
  ['2130706433', 'malformed'],
  ['127.1', 'malformed'],
  ['127.0.0.1.', 'malformed'],
  ['[::1]', 'malformed'],
  ['localhost', 'malformed'],
  ['', 'malformed'],
]

for (const address of PUBLIC) {
  test(`${address} is public`, () => assert.equal(classifyAddress(address), 'public'))
}

for (const [address, expected] of NOT_PUBLIC) {
  test(`${address || 'nothing'} is not public but ${expected}`, () => {
    assert.equal(classifyAddress(address), expected)
  })
}

test('an IPv6 address outside 2000::/3 is never public, nor is any form that embeds an IPv4 address', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
  fc.assert(
    fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.ipV4(), (groups, ipv4) => {
      const first = Number.parseInt(groups[0] as string, 16)
      if (first >> 13 !== 1) assert.notEqual(classifyAddress(groups.join(':')), 'public')
      for (const prefix of ['::', '::ffff:', '::ffff:0:', '64:ff9b::']) {
        assert.notEqual(classifyAddress(prefix + ipv4), 'public', prefix + ipv4)
      }
    }),
  )
})

test('a range holds the addresses of its own family alone', () => {
  const ranges = ['127.0.0.0/8', '10.1.2.3', 'fd00::/8', '::1/128'].map(parseNetwork)
  for (const address of ['127.0.0.1', '127.255.0.9', '10.1.2.3', 'fd12::9', '::1']) {
    assert.ok(isInNetworks(address, ranges), address)
  }
  for (const address of [
    '128.0.0.1',
    '10.1.2.4',
    'fe80::1',
    '::2',
    '::ffff:127.0.0.1',
    '::ffff:10.1.2.3',
    'localhost',
  ]) {
    assert.ok(!isInNetworks(address, ranges), address)
  }
})

test('the widest IPv4 range holds no IPv6 form', () => {
  assert.ok(!isInNetworks('::ffff:127.0.0.1', ['0.0.0.0/0'].map(parseNetwork)))
})
