import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { DamagedBytes, openStream, sealStream } from './sealed-stream.ts'

const key = createSecretKey(Buffer.alloc(32, 7))

async function* inBits(bytes: Uint8Array, size: number) {
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size)
}
const whole = async (source: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(source))
const seal = (text: Buffer, name = 'a', size = 50_000) => whole(sealStream(key, name, inBits(text, size)))
const open = (sealed: Buffer, name = 'a', with_ = key) => whole(openStream(with_, name, inBits(sealed, 7_001)))
const text = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 31) % 251))

test('what was sealed opens as it was, on both sides of a piece', async () => {
  for (const length of [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]) {
    const sealed = await seal(text(length))
    const pieces = Math.max(1, Math.ceil(length / 65_536))
    assert.equal(sealed.length, 20 + length + 16 * pieces)
    assert((await open(sealed)).equals(text(length)), `${length} octets`)
  }
})

test('the same bytes are sealed differently each time', async () => {
  assert(!(await seal(text(100))).equals(await seal(text(100))))
})

test('another key or another name opens nothing', async () => {
  const sealed = await seal(text(100))
  await assert.rejects(open(sealed, 'a', createSecretKey(Buffer.alloc(32, 8))), DamagedBytes)
  await assert.rejects(open(sealed, 'b'), DamagedBytes)
})

test('one octet that was changed anywhere is noticed', async () => {
  const sealed = await seal(text(70_000))
  for (const at of [0, 3, 4, 19, 20, 40_000, 65_555, 65_556, 65_571, 65_572, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] as number) ^ 1
    await assert.rejects(open(changed), DamagedBytes, `octet ${at}`)
  }
})

test('a stream that was cut off, lengthened or put together otherwise does not open', async () => {
  const sealed = await seal(text(65_536 * 3))
  const [head, piece] = [20, 65_552]
  const at = (n: number) => sealed.subarray(head + n * piece, head + (n + 1) * piece)
  const start = sealed.subarray(0, head)
  for (const [what, bytes] of Object.entries({
    nothing: Buffer.alloc(0),
    'half a head': sealed.subarray(0, 10),
    'a head alone': start,
    'a head and half a tag': sealed.subarray(0, head + 8),
    'without the last piece': sealed.subarray(0, head + 2 * piece),
    'within a piece': sealed.subarray(0, head + piece + 100),
    'one octet more': Buffer.concat([sealed, Buffer.alloc(1)]),
    'pieces exchanged': Buffer.concat([start, at(1), at(0), at(2)]),
    'a piece twice': Buffer.concat([start, at(0), at(0), at(1), at(2)]),
    'a piece left out': Buffer.concat([start, at(0), at(2)]),
  })) {
    await assert.rejects(open(bytes), DamagedBytes, what)
  }
})
