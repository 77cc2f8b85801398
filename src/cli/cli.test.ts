import assert from 'node:assert/strict'
import { test } from 'node:test'
import { print } from './cli.ts'

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
  assert.equal(
    printed(() => print({ env: {}, json: false, status: 0 }, {}, text)),
    'FOUND\nv=spf1 \ufffd[2J\ufffd2J\ufffd\ufffd é\n',
  )
})
