import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Html, html } from './html.ts'

test('whatever is put in is text, in elements and in attributes', () => {
  const hostile = `"><script>alert('1')</script>&amp;`
  const { text } = html`<p title="${hostile}">${hostile}</p>`
  assert.equal(text.match(/[<>]/g)?.length, 4)
  assert.equal(text.match(/"/g)?.length, 2)
  assert(text.includes('&amp;amp;'))
})

test('HTML stays HTML, lists follow one another, and what is not there is nothing', () => {
  const items = ['a', '<'].map((item) => html`<li>${item}</li>`)
  assert.equal(
    html`<ul>${items}</ul>${false}${null}${undefined}${0}${new Html('<hr>')}`.text,
    '<ul><li>a</li><li>&lt;</li></ul>0<hr>',
  )
})
