import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makePreview } from './preview.ts'

test('a preview is the beginning of the text on one line, or of the HTML without its tags', () => {
  for (const [text, html, preview] of [
    ['Hello\n\n  there ', '<p>not this', 'Hello there'],
    [null, '<p>Hello</p><p>there', 'Hello there'],
    [' \n ', '<b>bold</b>', 'bold'],
    ['', '', ''],
    [undefined, undefined, ''],
    [null, '<style>p { color: red }</style><!-- no --><title>no</title>Caf&eacute; &amp; t&#233;', 'Café & té'],
    [null, 'Gr&uuml;&szlig;e&nbsp;an&#150;&amp;lt;&nosuch;', 'Grüße an–&lt;&nosuch;'],
    [null, '&#1576;&zwnj;&#1576;&shy;&zwnj;&nbsp;&shy;', 'ب\u200Cب'],
    [null, '<p title="never ends', ''],
    [null, '&#0;&#xD83D;&#x110000;', '\uFFFD\uFFFD\uFFFD'],
    [`a${' \u034F\u200B'.repeat(50)}b`, null, 'a b'],
    ['👨\u200D👩', null, '👨\u200D👩'],
  ] as const)
    assert.equal(makePreview(text, html), preview, JSON.stringify([text, html]))
})

test('a preview is cut at 200, never within a character', () => {
  assert.equal(makePreview('a'.repeat(200), null), 'a'.repeat(200))
  assert.equal(makePreview('a'.repeat(201), null), 'a'.repeat(200))
  assert.equal(makePreview(`${'a'.repeat(199)}😀`, null), 'a'.repeat(199))
  assert.equal(makePreview(`${'a'.repeat(198)}😀😀`, null), `${'a'.repeat(198)}😀`)
})
