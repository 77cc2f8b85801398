import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutPort } from './client-address.ts'

test('an address is the same with and without the port that a proxy wrote after it', () => {
  for (const [text, expected] of [
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[::ffff:192.0.2.1]:1', '::ffff:192.0.2.1'],
    // Where a port begins nobody can say.
    ['2001:db8::1:4711', '2001:db8::1:4711'],
    ['::1', '::1'],
    ['192.0.2.1:', '192.0.2.1:'],
    ['192.0.2.1:123456', '192.0.2.1:123456'],
    ['example.com:80', 'example.com:80'],
    ['unknown', 'unknown'],
    ['', ''],
  ] as const) {
    assert.equal(withoutPort(text), expected)
  }
})
