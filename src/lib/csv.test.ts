import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

test('cells are parted by commas, and those that need it are quoted (RFC 4180)', () => {
  for (const [cells, line] of [
    [['a', 'b'], 'a,b\r\n'],
    [['', null, 'c'], ',,c\r\n'],
    [['one, two', 'say "hi"', 'line\r\nbreak'], '"one, two","say ""hi""","line\r\nbreak"\r\n'],
    [[0, -1, 1.5, true, false], '0,-1,1.5,true,false\r\n'],
    [[' leading', 'grüße 🙂'], ' leading,grüße 🙂\r\n'],
    [[], '\r\n'],
  ] as const) {
    assert.equal(csvLine(cells), line)
  }
})

test('what a spreadsheet would run is text, and nothing else is changed', () => {
  for (const [cell, text] of [
    ['=HYPERLINK("http://stranger.test","x")', `"'=HYPERLINK(""http://stranger.test"",""x"")"`],
    ['+49 30', "'+49 30"],
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tone', "'\tone"],
    ['\r=1', `"'\r'=1"`],
    ['\n=1', `"'\n'=1"`],
    ['＝1', "'＝1"],
    // As a file is read that is parted at semicolons.
    ["Sale;=cmd|'/c calc'!A0;-1", "Sale;'=cmd|'/c calc'!A0;'-1"],
    ['two\n=lines\tand\t+tabs', `"two\n'=lines\tand\t'+tabs"`],
    ['\t=1', "'\t'=1"],
    ['a;"=1"', `"a;""'=1"""`],
    ['a; =1;b', 'a; =1;b'],
    ['a=1', 'a=1'],
    ['ada@example.com', 'ada@example.com'],
    ["'quoted", "'quoted"],
  ]) {
    assert.equal(csvLine([cell as string]), `${text}\r\n`)
  }
})
