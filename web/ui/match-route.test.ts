import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchRoute } from './match-route.ts'

test('a pattern takes its parts out of a path, and no other path matches', () => {
  assert.deepEqual(matchRoute('/people', '/people'), {})
  assert.deepEqual(matchRoute('/', '/'), {})
  assert.deepEqual(matchRoute('/messages/:id', '/messages/a-b'), { id: 'a-b' })
  assert.deepEqual(matchRoute('/messages/:id', '/messages/%'), { id: '%' })
  for (const path of ['/messages', '/messages/', '/messages/a/b', '/people']) {
    assert.equal(matchRoute('/messages/:id', path), undefined, path)
  }
})

test('what a link names leads nowhere else within the site', () => {
  for (const part of ['..%2Fapps', '..%5Capps', 'a%3Fb', 'a%23b']) {
    const { id } = matchRoute('/messages/:id', `/messages/${part}`) ?? {}
    assert.equal(new URL(`/data/messages/${id}/cancel`, 'https://a.test').pathname, `/data/messages/${part}/cancel`)
  }
})
