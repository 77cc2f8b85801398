import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerGivenTwice, holdsKey } from './request-headers.ts'

test('a header that may come once is named when it comes twice, in whatever letters', () => {
  for (const [names, expected] of [
    [['Host', 'Authorization', 'Idempotency-Key', 'Content-Type', 'Range', 'If-Range'], undefined],
    [['Accept', 'accept', 'X-Forwarded-For', 'x-forwarded-for', 'If-None-Match', 'if-none-match'], undefined],
    [['Host', 'Accept', 'HOST'], 'host'],
    [['authorization', 'Authorization'], 'authorization'],
    [['Idempotency-Key', 'idempotency-key'], 'idempotency-key'],
    [['Content-Type', 'Content-Type'], 'content-type'],
    [['Relay-Report-Timestamp', 'relay-report-timestamp'], 'relay-report-timestamp'],
    [['If-Unmodified-Since', 'if-unmodified-since'], 'if-unmodified-since'],
    // A name that objects have anyway.
    [['constructor', 'constructor', '__proto__', '__proto__'], undefined],
  ] as const) {
    assert.equal(headerGivenTwice(names.flatMap((name) => [name, 'x'])), expected, names.join())
  }
})

test('a key is found in a URL however it is encoded', () => {
  const key = `mdk_live_${'aB3'.repeat(23)}`
  const whole = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&')
  const encoded = [
    key,
    whole(key),
    whole(key).toUpperCase(),
    `mdk%5flive%5F${key.slice(9)}`,
    whole(whole(key)),
    whole(whole(whole(key))),
  ]
  for (const text of [...encoded, key.toUpperCase(), key.slice(0, 9 + 22)]) {
    for (const url of [
      `/v1/mailboxes?k=${text}`,
      `/v1/messages/${text}/raw`,
      `/v1/mailboxes#${text}`,
      `/v1/mailboxes?${text}=1&x=%`,
    ]) {
      assert(holdsKey(url), url)
    }
  }
  for (const url of [
    '/v1/mailboxes?x=%6d%64%6b',
    '/v1/messages?cursor=2026-01-01T00%3A00%3A00Z',
    '/%',
    key.slice(0, 30),
  ]) {
    assert(!holdsKey(url), url)
  }
})

test('a URL of percent signs costs no more than its length a few times over', () => {
  assert(!holdsKey(`/${'%25'.repeat(5_000)}`))
  assert(!holdsKey(`/%${'25'.repeat(8_000)}6d`))
})
