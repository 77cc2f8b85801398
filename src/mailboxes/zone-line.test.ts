import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DnsRecord } from './dns-records.ts'
import { zoneLine } from './zone-line.ts'

const txt = (value: string): DnsRecord => ({ type: 'TXT', name: 'a.test', value, purpose: 'dkim' })
const stringsOf = (line: string) => [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text)

test('a record is a line with absolute names', () => {
  assert.equal(
    zoneLine({ type: 'MX', name: 'a.test', value: '10 mail.a.test', purpose: 'mx' }),
    'a.test. IN MX 10 mail.a.test.',
  )
  assert.equal(zoneLine(txt('v=spf1 mx ~all')), 'a.test. IN TXT "v=spf1 mx ~all"')
})

test('a string has 255 octets at most, and together they are the value', () => {
  for (const [length, parts] of [
    [0, [0]],
    [254, [254]],
    [255, [255]],
    [256, [255, 1]],
    [410, [255, 155]],
    [510, [255, 255]],
    [511, [255, 255, 1]],
  ] as const) {
    const value = Array.from({ length }, (_, i) => String.fromCharCode(97 + (i % 26))).join('')
    const strings = stringsOf(zoneLine(txt(value)))
    assert.deepEqual(
      strings.map((text) => text.length),
      parts,
    )
    assert.equal(strings.join(''), value)
  }
})

test('quotes and backslashes do not end a string', () => {
  assert.equal(zoneLine(txt('a"b\\c')), 'a.test. IN TXT "a\\"b\\\\c"')
})
