import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { readRelayUrl } from './relay-url.ts'

test('TLS is proven where it must be', () => {
  for (const [url, port, secure, proven] of [
    ['smtp://relay.example', 587, false, false],
    ['smtp://relay.example:25', 25, false, false],
    ['smtp://u:p@relay.example', 587, false, true],
    ['smtp://u:p@relay.example?tls=insecure', 587, false, false],
    ['smtp://relay.example?tls=verified', 587, false, true],
    ['smtps://relay.example', 465, true, true],
    ['smtps://relay.example/?tls=insecure', 465, true, false],
    ['smtp://u:p@127.0.0.1:2525', 2525, false, false],
    ['smtp://u:p@[::1]:2525', 2525, false, false],
    ['smtps://localhost', 465, true, false],
    ['smtp://u:p@127.0.0.1.example', 587, false, true],
  ] as const) {
    const { port: foundPort, secure: foundSecure, requireTls, verifyCertificate } = readRelayUrl(url)
    assert.deepEqual([foundPort, foundSecure, requireTls, verifyCertificate], [port, secure, proven, proven], url)
  }
})

test('credentials are percent-decoded and do not show', () => {
  const target = readRelayUrl('smtp://user%40example.com:p%40ss%3Aw%C3%B6rd%2F@relay.example')
  assert.equal(target.credentials?.user, 'user@example.com')
  assert.equal(target.credentials?.password.reveal(), 'p@ss:wörd/')
  assert.doesNotMatch(inspect(target, { depth: 9 }) + JSON.stringify(target), /wörd/)
})

test('an IPv6 address is taken without its brackets', () => {
  assert.equal(readRelayUrl('smtp://[2001:db8::25]:25').host, '2001:db8::25')
})

test('each fault is reported without the credentials', () => {
  for (const url of [
    '',
    'relay.example:25',
    'http://relay.example',
    'smtp://',
    'smtp://secret@relay.example',
    'smtp://:secret@relay.example',
    'smtp://u:secret@relay.example/path',
    'smtp://u:secret@relay.example?pool=true',
    'smtp://u:secret@relay.example?tls=maybe',
    'smtp://u:secret%zz@relay.example',
  ]) {
    assert.throws(
      () => readRelayUrl(url),
      (error) => error instanceof RangeError && !error.message.includes('secret'),
      url,
    )
  }
})
