import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { readAddresses } from './read-addresses.ts'

const read = async (...pieces: string[]) =>
  (await Array.fromAsync(readAddresses(pieces))).flat().map(({ line, text }) => `${line} ${text ?? 'too long'}`)

test('addresses are read one a line, without white space and blank lines, in whatever pieces they come', async () => {
  const text = '\uFEFFada@example.test\r\n\r\n  grace@example.test\t\n"joan@example.test"\nlast@example.test'
  const found = ['1 ada@example.test', '3 grace@example.test', '4 joan@example.test', '5 last@example.test']
  assert.deepEqual(await read(text), found)
  assert.deepEqual(await read(...text), found)
  assert.deepEqual(await read(), [])
  assert.deepEqual(await read('\n\n'), [])
})

test('of a file with a column called email that column is read, whatever parts its cells', async () => {
  for (const [delimiter, name] of [
    [',', 'email'],
    [';', 'E-Mail'],
    ['\t', 'Email Address'],
    [',', 'address'],
    [',', 'recipient'],
  ] as const) {
    const lines = [['id', name, 'note'], ['1', 'ada@example.test', 'x'], ['2', '', ''], ['3']]
    assert.deepEqual(await read(lines.map((cells) => cells.join(delimiter)).join('\n')), ['2 ada@example.test'])
  }
  assert.deepEqual(await read('ada@example.test,Ada\ngrace@example.test,Grace'), [
    '1 ada@example.test',
    '2 grace@example.test',
  ])
})

test('quoted cells hold what parts cells and lines, and quotation marks that are doubled', async () => {
  const text = 'note,email\n"a, ""b""\nand c",ada@example.test\n"open,grace@example.test\nx'
  assert.deepEqual(await read(text), ['2 ada@example.test'])
  assert.deepEqual(await read('email\n"ada@example.test\n'), ['2 ada@example.test'])
  assert.deepEqual(await read('ada@example.test\n"grace@example.test\njoan@example.test'), [
    '1 ada@example.test',
    '2 grace@example.test',
    '3 joan@example.test',
  ])
})

test('a line of 10,000 characters is read, and of a longer one it is said where it is', async () => {
  const line = (length: number) => 'x'.repeat(length)
  assert.deepEqual(await read(`${line(10_000)}\nada@example.test`), [`1 ${line(10_000)}`, '2 ada@example.test'])
  assert.deepEqual(await read(`${line(10_001)}\nada@example.test`), ['1 too long', '2 ada@example.test'])
  assert.deepEqual(await read(line(6_000), line(6_000), '\nada@example.test'), ['1 too long', '2 ada@example.test'])
  assert.deepEqual(await read('email\n"', line(9_000), '\n', line(9_000), '\nada@example.test'), [
    '2 too long',
    '4 ada@example.test',
  ])
})

test('while a long text is read others have their turn, whatever is in it', async () => {
  for (const text of [
    'x\n'.repeat(500_000),
    `email\n"${'\n'.repeat(1_000_000)}`,
    `${'"",'.repeat(3_000)}\n`.repeat(100),
  ]) {
    const reading = read(text)
    let isRead = false
    void reading.finally(() => {
      isRead = true
    })
    let turns = 0
    for (; !isRead; turns++) await setImmediate()
    await reading
    assert(turns > text.length / 32_768, `${turns} turns in ${text.length} characters`)
  }
})
