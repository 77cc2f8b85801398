import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createPace,
  imageUrl,
  MOST_HEIGHT,
  MOST_QUOTED_CHARACTERS,
  MOST_URLS,
  readMail,
  readNotice,
} from './frame-notice.ts'

const shown = { type: 'shown', heldBack: 3, misleading: 0 }

test('what the frame says is taken within bounds', () => {
  assert.deepEqual(readNotice({ type: 'ready', more: 1 }), { type: 'ready' })
  assert.deepEqual(readNotice({ type: 'height', height: 400.2 }), { type: 'height', turn: 0, height: 401 })
  assert.deepEqual(readNotice({ type: 'height', height: 1e9, turn: 7 }), {
    ...{ type: 'height', turn: 7, height: MOST_HEIGHT },
  })
  assert.deepEqual(readNotice({ type: 'height', height: -1 }), { type: 'height', turn: 0, height: 80 })
  assert.deepEqual(readNotice({ ...shown, misleading: 1e9 }), { ...shown, turn: 0, misleading: 10_000, urls: [] })
})

test('of the images that it names only so many are heard, and only those that the web has', () => {
  const url = (i: number) => `https://shop.example/${i}.png`
  const others = ['data:image/png,x', 'file:///etc/passwd', '/inline/a', 'cid:a', 'x', 1, null, 'https://A.example']
  const read = (urls: unknown[]) => (readNotice({ ...shown, urls }) as { urls: string[] }).urls
  assert.deepEqual(read([url(1), ...others, url(2)]), [url(1), url(2)])
  assert.equal(read(Array.from({ length: 1_000 }, (_, i) => url(i))).length, MOST_URLS)
  assert.deepEqual(read([`https://shop.example/${'a'.repeat(2_100)}`]), [])
  assert.equal(readNotice({ ...shown, urls: 'https://shop.example/' }), undefined)
})

test('an image has one spelling of its URL', () => {
  assert.equal(imageUrl(' HTTPS://Shop.example/a b.png\n'), 'https://shop.example/a%20b.png')
  for (const other of ['//shop.example/a', 'ftp://shop.example/a', 'a.png', '', 'x'.repeat(3_000)]) {
    assert.equal(imageUrl(other), undefined)
  }
})

test('a key is one character, or Escape, and a link one that a message may have', () => {
  const key = { type: 'key', key: '#', shiftKey: true }
  assert.deepEqual(readNotice({ ...key, ctrlKey: true }), key)
  assert.deepEqual(readNotice({ type: 'key', key: 'Escape' }), { type: 'key', key: 'Escape', shiftKey: false })
  for (const other of ['Enter', 'Tab', ' ', 'jj', '', 'ä', 1, null, 'ArrowDown']) {
    assert.equal(readNotice({ type: 'key', key: other }), undefined, String(other))
  }
  assert.deepEqual(readNotice({ type: 'link', href: 'mailto:a@b.test' }), { type: 'link', href: 'mailto:a@b.test' })
  for (const other of ['javascript:1', '/sign-in', null, `https://a.test/${'a'.repeat(2_100)}`]) {
    assert.equal(readNotice({ type: 'link', href: other }), undefined, String(other))
  }
})

test('a quotation is heard that is not too long', () => {
  const quoted = { type: 'quoted', turn: 2, html: '<p>x', text: 'x' }
  assert.deepEqual(readNotice({ ...quoted, more: 1 }), quoted)
  assert.deepEqual(readNotice({ ...quoted, html: null }), { ...quoted, html: null })
  const longest = 'x'.repeat(MOST_QUOTED_CHARACTERS)
  assert(readNotice({ ...quoted, html: longest, text: longest }))
  for (const other of [{ html: `${longest}x` }, { text: `${longest}x` }, { html: 1 }, { text: null }, { turn: '1' }]) {
    assert.equal(readNotice({ ...quoted, ...other }), undefined)
  }
})

test('whatever else it says is nothing', () => {
  const others = [
    null,
    undefined,
    'ready',
    1,
    [],
    {},
    { type: 'other' },
    { type: 'height' },
    { type: 'height', height: '9' },
  ]
  const notNumbers = [
    { type: 'height', height: Number.NaN },
    { type: 'height', height: 9, turn: '1' },
    { type: 'shown', heldBack: 1, misleading: null },
  ]
  for (const data of [...others, ...notNumbers]) assert.equal(readNotice(data), undefined)
})

test('whoever says more than a person could is heard no more for the rest of a second', () => {
  const isHeard = createPace()
  const heard = Array.from({ length: 80 }, (_, i) => isHeard(i)).filter(Boolean)
  assert.equal(heard.length, 50)
  assert.equal(isHeard(999), false)
  assert.equal(isHeard(1_000), true)
})

test('a message to show is told from whatever else is said to frames', () => {
  const mail = { html: '<p>x', images: {} }
  assert.equal(readMail(mail), mail)
  assert(readMail({ ...mail, fetched: {}, quotes: {}, turn: 1 }))
  const others = [null, undefined, 'axe', '{"html":"","images":{}}', 1, [], {}, { html: '' }, { images: {} }]
  const halves = [
    { html: 1, images: {} },
    { html: '', images: null },
    { html: '', images: {}, fetched: 1 },
    { html: '', images: {}, quotes: 'a' },
  ]
  for (const data of [...others, ...halves]) assert.equal(readMail(data), undefined)
})
