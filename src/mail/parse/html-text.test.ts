import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlToText } from './html-text.ts'

const CASES: readonly [html: string, text: string][] = [
  ['<div>Thanks!</div><div>Bob</div>', 'Thanks!\nBob'],
  ['<div>One</div><div><br></div><div>Two</div>', 'One\n\nTwo'],
  ['<div>One<br></div><div>Two</div>', 'One\nTwo'],
  ['<div>One<br>Two<br><br>Three</div>', 'One\nTwo\n\nThree'],
  ['<div><div><div>One</div></div></div><div>Two</div>', 'One\nTwo'],
  ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
  ['<div>Buy:</div><ul><li>Milk</li><li>Tea</li></ul><div>Soon</div>', 'Buy:\n\nMilk\nTea\n\nSoon'],
  ['<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>', '1 2\n3 4'],
  ['<blockquote>Older</blockquote>Newer', 'Older\n\nNewer'],
  ['One<div><br></div><div><br></div><div><br></div>Two', 'One\n\nTwo'],
  ['  One \n two&nbsp; <b>three</b>', 'One two three'],
  ['<div><br></div>', ''],
]

for (const [html, text] of CASES) {
  test(`${JSON.stringify(html)} is seen as ${JSON.stringify(text)}`, () => assert.equal(htmlToText(html, 10_000), text))
}
