import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hrefOf, messageAt, messageHref, type Place, placeAt, samePlace } from './place.ts'

const at = (to: string): Place => {
  const { pathname, searchParams } = new URL(to, 'https://mail.test')
  return placeAt(pathname, searchParams)
}

test('a list comes back from its own address, and from that of a message opened in it', () => {
  const places: Place[] = [
    { list: 'inbox', q: '', mailbox: undefined },
    { list: 'trash', q: '', mailbox: 'a-b' },
    { list: 'search', q: 'from:ada "two words" & more', mailbox: undefined },
    { list: 'search', q: '', mailbox: 'a-b' },
  ]
  for (const place of places) {
    assert.deepEqual(at(hrefOf(place)), place)
    assert.deepEqual(at(messageHref('an-id', place)), place)
    assert(samePlace(at(hrefOf(place)), place))
  }
})

test('beside a message that was opened from nowhere, or from what is no list, is the inbox', () => {
  for (const to of ['/message/x', '/message/x?in=nothing', '/message/x?in=constructor', '/nothing']) {
    assert.deepEqual(at(to), { list: 'inbox', q: '', mailbox: undefined }, to)
  }
})

test('a path names the message that is open, or none', () => {
  assert.equal(messageAt('/message/x'), 'x')
  for (const path of ['/message', '/message/', '/message/x/y', '/inbox']) assert.equal(messageAt(path), undefined, path)
})
