import assert from 'node:assert/strict'
import { test } from 'node:test'
import { imageTypeOf } from './image-type.ts'

const octets = (text: string) => Buffer.from(text, 'latin1')

test('images are known by how they begin', () => {
  assert.equal(imageTypeOf(octets('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')), 'image/png')
  assert.equal(imageTypeOf(octets('\xff\xd8\xff\xe0\0\x10JFIF')), 'image/jpeg')
  assert.equal(imageTypeOf(octets('GIF89a\x01\0')), 'image/gif')
  assert.equal(imageTypeOf(octets('GIF87a\x01\0')), 'image/gif')
  assert.equal(imageTypeOf(octets('RIFF\x24\0\0\0WEBPVP8 ')), 'image/webp')
  assert.equal(imageTypeOf(octets('\0\0\0\x1cftypavif\0\0\0\0')), 'image/avif')
  assert.equal(imageTypeOf(octets('\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf')), 'image/avif')
  assert.equal(imageTypeOf(octets(`BM${'\0'.repeat(12)}\x28\0\0\0`)), 'image/bmp')
})

test('what only says that it is an image is none', () => {
  const others = [
    '',
    'PNG',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<?xml version="1.0"?><svg/>',
    '<html><script>1</script>',
    'GIF88a',
    'BMW is a maker of cars',
    'RIFF\x24\0\0\0WAVEfmt ',
    '\0\0\0\x18ftypmp42\0\0\0\0',
    ' \x89PNG\r\n\x1a\n',
    '%PDF-1.7',
  ]
  for (const text of others) assert.equal(imageTypeOf(octets(text)), undefined, text)
})

test('only the beginning is looked at, also within a larger piece', () => {
  const piece = Buffer.concat([octets('xxxx'), octets('GIF89a')])
  assert.equal(imageTypeOf(piece.subarray(4)), 'image/gif')
})
