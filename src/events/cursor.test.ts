import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseSecretKeys } from '../lib/secret-box.ts'
import { BEGINNING, createCursorCodec, isBefore, type Position } from './cursor.ts'

const older = `1:${Buffer.alloc(32, 1).toString('base64')}`
const newer = `2:${Buffer.alloc(32, 2).toString('base64')}`
const owner = { tenantId: '0190-a', environmentId: '0190-a' }
const place = { epoch: 1, xid: '7', seq: 9, sinceMicros: 0 }
const codec = createCursorCodec(parseSecretKeys(older))

test('a cursor is read back as the place it was made for, however large its numbers', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      (epoch, xid, seq, sinceMicros) => {
        const position = { epoch, xid: String(xid), seq, sinceMicros }
        const cursor = codec.encode(owner, position)
        assert(cursor.length <= 512)
        assert.deepEqual(codec.decode(owner, cursor), position)
      },
    ),
  )
})

test('a cursor with any character changed is refused', () => {
  const cursor = codec.encode(owner, place)
  for (let i = 0; i < cursor.length; i++) {
    const other = cursor[i] === 'A' ? 'B' : 'A'
    assert.equal(codec.decode(owner, cursor.slice(0, i) + other + cursor.slice(i + 1)), undefined)
  }
  for (const wrong of ['', 'x', `${cursor}A`, cursor.slice(1), ` ${cursor}`, `${cursor}=`]) {
    assert.equal(codec.decode(owner, wrong), undefined)
  }
})

test('a cursor is good for its own tenant and environment only', () => {
  const cursor = codec.encode(owner, place)
  assert.equal(codec.decode({ ...owner, environmentId: '0190-b' }, cursor), undefined)
  assert.equal(codec.decode({ tenantId: '0190-b', environmentId: owner.environmentId }, cursor), undefined)
})

test('a cursor made before the keys were rotated goes on', () => {
  const cursor = codec.encode(owner, place)
  const rotated = createCursorCodec(parseSecretKeys(`${newer},${older}`))
  assert.deepEqual(rotated.decode(owner, cursor), place)
  assert.equal(createCursorCodec(parseSecretKeys(newer)).decode(owner, cursor), undefined)
})

test('places lie in the order of the feed: by epoch, transaction and sequence, as numbers', () => {
  const at = (epoch: number, xid: string, seq: number): Position => ({ ...BEGINNING, epoch, xid, seq })
  const inOrder = [
    BEGINNING,
    at(0, '9', 7),
    at(0, '9', 10),
    at(0, '10', 1),
    at(0, '9007199254740993', 1),
    at(1, '2', 1),
  ]
  for (const [i, one] of inOrder.entries()) {
    for (const [j, other] of inOrder.entries()) assert.equal(isBefore(one, other), i < j, `${i} and ${j}`)
  }
})
