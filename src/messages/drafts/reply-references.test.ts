import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadOf } from './reply-references.ts'

const ids = (count: number) => Array.from({ length: count }, (_, i) => `<${i}@a.example>`)

test('an answer names what it answers, behind all that this has named', () => {
  assert.deepEqual(threadOf({ messageId: '<2@b>', inReplyTo: '<1@a>', references: ['<0@a>', '<1@a>'] }), {
    inReplyTo: '<2@b>',
    references: ['<0@a>', '<1@a>', '<2@b>'],
  })
})

test('of what has no References its In-Reply-To stands for them', () => {
  const parent = { messageId: '<2@b>', inReplyTo: '<1@a>', references: [] }
  assert.deepEqual(threadOf(parent).references, ['<1@a>', '<2@b>'])
  assert.deepEqual(threadOf({ ...parent, inReplyTo: null }).references, ['<2@b>'])
})

test('twenty are named, and of more the first and the newest', () => {
  const with19 = threadOf({ messageId: '<new@b>', inReplyTo: null, references: ids(19) })
  assert.deepEqual(with19.references, [...ids(19), '<new@b>'])
  const with20 = threadOf({ messageId: '<new@b>', inReplyTo: null, references: ids(20) })
  assert.deepEqual(with20.references, ['<0@a.example>', ...ids(20).slice(2), '<new@b>'])
  assert.equal(with20.references.length, 20)
})

test('what is named twice is named where it stood last', () => {
  const parent = { messageId: '<0@a.example>', inReplyTo: null, references: [...ids(3), '<1@a.example>'] }
  assert.deepEqual(threadOf(parent).references, ['<2@a.example>', '<1@a.example>', '<0@a.example>'])
})

test('what no header can carry is left out', () => {
  const long = `<${'x'.repeat(901)}>`
  const bad = ['no brackets', '<with blank @a>', '<ünicode@a>', '<a\r\nBcc: b@c>', '<<a@b>>', long]
  assert.deepEqual(threadOf({ messageId: null, inReplyTo: null, references: bad }), { inReplyTo: null, references: [] })
  for (const messageId of bad) {
    assert.deepEqual(threadOf({ messageId, inReplyTo: null, references: ['<0@a>'] }), {
      inReplyTo: null,
      references: ['<0@a>'],
    })
  }
  const longest = `<${'x'.repeat(900)}>`
  assert.equal(threadOf({ messageId: longest, inReplyTo: null, references: [] }).inReplyTo, longest)
})
