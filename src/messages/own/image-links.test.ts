import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSecretKeys } from '../../lib/secret-box.ts'
import { newId } from '../../lib/uuid.ts'
import { createImageLinks } from './image-links.ts'

const FIRST = `1:${Buffer.alloc(32, 1).toString('base64')}`
const SECOND = `2:${Buffer.alloc(32, 2).toString('base64')}`
const HALF_AN_HOUR = 30 * 60_000
const link = { sessionId: newId(), messageId: newId(), image: 'https://shop.example/a.png?b=c%20d' }
const tokenOf = (path: string) => path.split('/').at(-1) as string

test('a link says what it was made for, for half an hour at least and an hour at most', () => {
  let now = 5 * HALF_AN_HOUR
  const links = createImageLinks(parseSecretKeys(FIRST), () => now)
  const path = links.pathOf('remote', link)
  assert.match(path, /^\/image\/[\w-]+$/)
  now += HALF_AN_HOUR - 1
  assert.equal(links.pathOf('remote', link), path)
  now += HALF_AN_HOUR
  assert.deepEqual(links.read('remote', tokenOf(path)), link)
  now += 1
  assert.equal(links.read('remote', tokenOf(path)), undefined)
})

test('a link of one kind, or of other keys, or with anything changed, is none', () => {
  const links = createImageLinks(parseSecretKeys(FIRST))
  const token = tokenOf(links.pathOf('inline', { ...link, image: newId() }))
  assert.equal(links.read('remote', token), undefined)
  assert.equal(createImageLinks(parseSecretKeys(SECOND)).read('inline', token), undefined)
  for (let i = 0; i < token.length; i++) {
    const changed = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`
    assert.equal(links.read('inline', changed), undefined, changed)
  }
  for (const other of ['', 'A', `${token}=`, ` ${token}`, token.slice(0, -4), `${token}AAAA`, token.slice(0, 22)]) {
    assert.equal(links.read('inline', other), undefined, other)
  }
})

test('links outlive a change of keys', () => {
  const before = createImageLinks(parseSecretKeys(FIRST))
  const after = createImageLinks(parseSecretKeys(`${SECOND},${FIRST}`))
  assert.deepEqual(after.read('remote', tokenOf(before.pathOf('remote', link))), link)
})
