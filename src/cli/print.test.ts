import assert from 'node:assert/strict'
import { test } from 'node:test'
import { details, print, table } from './print.ts'

/** What is written to standard output meanwhile. */
function printed(work: () => void): string {
  const { write } = process.stdout
  let text = ''
  process.stdout.write = ((chunk: string) => {
    text += chunk
    return true
  }) as typeof write
  try {
    work()
  } finally {
    process.stdout.write = write
  }
  return text
}

test('text of strangers, such as that of a DNS record, does not steer the terminal', () => {
  const text = 'FOUND\nv=spf1 \u001b[2J\u009b2J\r\u0007 é'
  const cli = { env: {}, json: false, jsonErrors: false, status: 0 }
  assert.equal(
    printed(() => print(cli, {}, text)),
    'FOUND\nv=spf1 \ufffd[2J\ufffd2J\ufffd\ufffd é\n',
  )
})

const ROWS = [
  { id: '1', name: 'one', on: true, at: '2026-01-05T10:00:00.000000Z' },
  { id: '22', name: null, on: false, at: null },
]
const COLUMNS = { id: 'ID', name: 'NAME', on: 'ON', at: 'AT' }

test('rows are aligned under their headings', () => {
  assert.equal(
    table(ROWS, COLUMNS, 'None.', 80),
    ['ID  NAME  ON   AT', '1   one   yes  2026-01-05 10:00:00Z', '22  -     no   -'].join('\n'),
  )
  assert.equal(table([], COLUMNS, 'None.', 80), 'None.')
})

test('rows that are wider than the terminal are blocks, and none that is as wide', () => {
  assert.match(table(ROWS, COLUMNS, 'None.', 35), /^ID {2}NAME/)
  assert.equal(
    table(ROWS, COLUMNS, 'None.', 34),
    ['ID    1\nNAME  one\nON    yes\nAT    2026-01-05 10:00:00Z', 'ID    22\nNAME  -\nON    no\nAT    -'].join('\n\n'),
  )
})

test('a cell is one line, whatever is in it', () => {
  assert.equal(details({ name: 'a\nb', to: ['x', 'y'] }, { name: 'NAME', to: 'TO' }), 'NAME  a\ufffdb\nTO    x y')
})
