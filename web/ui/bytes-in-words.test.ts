import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesInWords } from './bytes-in-words.ts'

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
