import assert from 'node:assert/strict'
import { test } from 'node:test'
import { harmless, harmlessLine } from './terminal-text.ts'

test('no text steers the terminal that shows it', () => {
  for (const [text, shown, line] of [
    ['\x1b[2J\x1b]0;title\x07x', '\ufffd[2J\ufffd]0;title\ufffdx', '\ufffd[2J\ufffd]0;title\ufffdx'],
    ['\x9b31mx', '\ufffd31mx', '\ufffd31mx'],
    ['a\r\nb\tc\0', 'a\ufffd\nb\ufffdc\ufffd', 'a\ufffd\ufffdb\ufffdc\ufffd'],
    ['a\u2028b', 'a\u2028b', 'a\ufffdb'],
    ['a\u202etxt\u202c\u2066b\u2069', 'a\ufffdtxt\ufffd\ufffdb\ufffd', 'a\ufffdtxt\ufffd\ufffdb\ufffd'],
    ['Grüße 👩‍👩‍👧 עברית', 'Grüße 👩‍👩‍👧 עברית', 'Grüße 👩‍👩‍👧 עברית'],
  ] as const) {
    assert.deepEqual([harmless(text), harmlessLine(text)], [shown, line])
  }
})
