import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, piecesOf } from './text-parts.ts'

test('what is quoted is told from what is written, with the line that says of whom it is', () => {
  const text = 'Yes.\r\n\r\nOn Monday Ada wrote:\r\n\r\n> Will you?\r\n\r\n>> Who?\r\n\r\nGrace\r\n'
  assert.deepEqual(blocksOf(text), [
    { isQuoted: false, text: 'Yes.' },
    { isQuoted: true, text: 'On Monday Ada wrote:\n\n> Will you?\n\n>> Who?' },
    { isQuoted: false, text: 'Grace' },
  ])
})

test('a text without quotes is one, and one that is nothing but quotes is not folded away', () => {
  for (const text of ['Hello:\nyou', '> only this\n> and this', '', 'a > b\nc']) {
    const blocks = blocksOf(text)
    assert(blocks.length <= 1 && blocks.every(({ isQuoted }) => !isQuoted), text)
  }
})

test('a text of ever so many quotes is one text, and is read in no time', () => {
  const started = performance.now()
  assert.equal(blocksOf('a\n> b\n'.repeat(100_000)).length, 1)
  piecesOf('https://a.test/('.repeat(60_000))
  piecesOf(`https://a.test/${')'.repeat(1e6)}`)
  piecesOf('http://'.repeat(200_000))
  assert(performance.now() - started < 2_000)
})

const LINKS: readonly (readonly [text: string, ...links: string[]])[] = [
  ['See https://a.test/b?c=d#e.', 'https://a.test/b?c=d#e'],
  ['(https://a.test/b_(c))', 'https://a.test/b_(c)'],
  ['<http://a.test>, or mailto:ada@a.test!', 'http://a.test/', 'mailto:ada@a.test'],
  ['javascript:alert(1) data:text/html,x ftp://a.test //a.test http://'],
  ['https://bank.example\u202e/moc.live', 'https://bank.example/'],
  ['https://ba\u200bnk.example', 'https://ba/'],
]

test('addresses of the web and of mail are links, and nothing else is', () => {
  for (const [text, ...links] of LINKS) {
    const pieces = piecesOf(text)
    assert.equal(pieces.map((piece) => piece.text).join(''), text)
    assert.deepEqual(
      pieces.flatMap(({ href }) => href ?? []),
      links,
      text,
    )
  }
})
