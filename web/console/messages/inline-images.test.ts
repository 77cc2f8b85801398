import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedImages } from './inline-images.ts'

const file = {
  id: 'id-1',
  filename: 'a.png',
  mediaType: 'image/png',
  sizeBytes: 2 * 1024 * 1024,
  contentId: 'logo@a.test',
}

test('an image is shown within the HTML that names it, by its Content-ID or its id, up to 2 MiB', () => {
  assert.deepEqual([...namedImages('<img src="cid:logo@a.test">', [file]).values()], [['logo@a.test']])
  assert.deepEqual([...namedImages('<img src="cid:logo%40a.test">', [file]).values()], [['logo@a.test']])
  assert.deepEqual([...namedImages('<img src="cid:id-1">', [{ ...file, contentId: null }]).values()], [['id-1']])
  assert.equal(namedImages('<img src="cid:other">', [file]).size, 0)
  assert.equal(namedImages('<img src="cid:id-1">', [{ ...file, sizeBytes: file.sizeBytes + 1 }]).size, 0)
  assert.equal(namedImages('<img src="cid:id-1">', [{ ...file, mediaType: 'image/svg+xml' }]).size, 0)
  assert.equal(namedImages('<img src="cid:id-1">', [{ ...file, mediaType: 'text/html' }]).size, 0)
})
