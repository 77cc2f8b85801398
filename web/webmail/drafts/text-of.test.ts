import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textOf } from './text-of.ts'

const html = (body: string) => textOf({ format: 'html', body })

test('HTML is shown as its words, line by line', () => {
  assert.equal(
    html('<div>Dear <b>Ada</b>,<br>&lt;thanks&gt; &amp;lt;</div><ul><li>one</li><li>two</li></ul>'),
    'Dear Ada,\n<thanks> &lt;\n• one\n• two',
  )
})

test('text is shown as it is', () => {
  assert.equal(textOf({ format: 'text', body: 'a <b> &amp;' }), 'a <b> &amp;')
})
