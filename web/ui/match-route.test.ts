import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchRoute } from './match-route.ts'

test('a pattern takes its parts out of a path, and no other path matches', () => {
  assert.deepEqual(matchRoute('/people', '/people'), {})
  assert.deepEqual(matchRoute('/', '/'), {})
  assert.deepEqual(matchRoute('/messages/:id', '/messages/a%20b'), { id: 'a b' })
  assert.deepEqual(matchRoute('/messages/:id', '/messages/%'), { id: '%' })
  for (const path of ['/messages', '/messages/', '/messages/a/b', '/people']) {
    assert.equal(matchRoute('/messages/:id', path), undefined, path)
  }
})
