import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '../message/shapes.ts'
import { headAsHtml, quotedText, textAsHtml } from './quote-text.ts'

test('text becomes HTML that says the same', () => {
  assert.equal(textAsHtml('a <b> & "c"\r\n\r\nd\n'), '<div>a &lt;b&gt; &amp; &quot;c&quot;<br><br>d</div>')
})

test('each line is quoted, and what is quoted already once more', () => {
  assert.equal(quotedText('a\r\n\r\n> b\n'), '> a\n>\n>> b')
})

test('the head of a forwarded message names who wrote to whom, as text', () => {
  const message = {
    ...{ from: { address: 'a@x.test', name: '<b>Ada</b>' }, to: [{ address: 'b@x.test', name: null }], cc: [] },
    subject: 'A & B',
  } as unknown as Message
  assert.equal(
    headAsHtml(message, 'today'),
    '<div><b>From:</b> &lt;b&gt;Ada&lt;/b&gt; &lt;a@x.test&gt;<br><b>Date:</b> today<br><b>Subject:</b> A &amp; B<br>' +
      '<b>To:</b> b@x.test</div><br>',
  )
})
