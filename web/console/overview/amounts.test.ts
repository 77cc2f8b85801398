import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesInWords, shareOf } from './amounts.ts'

test('octets are said in the largest unit that there is one of', () => {
  const said: [number, string][] = [
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [1024 ** 3 * 250.4, '250 GiB'],
    [1024 ** 5, '1024 TiB'],
  ]
  for (const [bytes, words] of said) assert.equal(bytesInWords(bytes), words)
})

test('a share is of the limit, and 100 only when all is used', () => {
  assert.equal(shareOf(799, 1000), 79)
  assert.equal(shareOf(800, 1000), 80)
  assert.equal(shareOf(9_999, 10_000), 99)
  assert.equal(shareOf(20, 10), 100)
  assert.equal(shareOf(5, null), 0)
})
