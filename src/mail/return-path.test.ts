import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { SecretKey } from '../lib/secret-box.ts'
import { newId } from '../lib/uuid.ts'
import { readReturnPath, returnPathSettings, signReturnPath } from './return-path.ts'

const secretKey = (version: number): SecretKey => ({ version, key: createSecretKey(randomBytes(32)) })
const first = secretKey(1)
const second = secretKey(2)
const settings = returnPathSettings('bounce.test', [first])

describe('a return path', () => {
  test('names the message it was made for', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        assert.deepEqual(readReturnPath(signReturnPath(id, settings), settings), { messageId: id })
      }),
    )
  })

  test('has a local part of at most 64 octets, made of what any relay lets through', () => {
    assert.match(signReturnPath(newId(), settings), /^[a-z2-7+]{1,64}@bounce\.test$/)
  })

  test('survives any change of case', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.infiniteStream(fc.boolean()), (id, upper) => {
        const changed = [...signReturnPath(id, settings)]
          .map((character) => (upper.next().value ? character.toUpperCase() : character))
          .join('')
        assert.deepEqual(readReturnPath(changed, settings), { messageId: id })
      }),
    )
  })

  test('made with an older key still counts, and new ones are made with the current key', () => {
    const id = newId()
    const old = signReturnPath(id, settings)
    const rotated = returnPathSettings('bounce.test', [second, first])
    assert.deepEqual(readReturnPath(old, rotated), { messageId: id })
    assert.notEqual(signReturnPath(id, rotated), old)
    assert.equal(readReturnPath(old, returnPathSettings('bounce.test', [second])), undefined)
  })

  test('with a single character changed, added or left out counts for nothing', () => {
    const path = signReturnPath(newId(), settings)
    for (let i = 0; i < path.length; i++) {
      for (const other of ['a', '7', 'q', '@', '+', '']) {
        if (other === path[i]) continue
        const changed = path.slice(0, i) + other + path.slice(i + 1)
        assert.equal(readReturnPath(changed, settings), undefined, changed)
      }
    }
    assert.equal(readReturnPath(`${path}x`, settings), undefined)
    assert.equal(readReturnPath(`x${path}`, settings), undefined)
  })

  test('has one spelling: the bit that its octets leave over is not free', () => {
    const path = signReturnPath(newId(), settings)
    const last = path.indexOf('@') - 1
    const letters = 'abcdefghijklmnopqrstuvwxyz234567'
    const twin = letters[letters.indexOf(path[last] ?? '') ^ 1]
    assert.equal(readReturnPath(path.slice(0, last) + twin + path.slice(last + 1), settings), undefined)
  })

  test('of another domain, and anything else, counts for nothing', () => {
    const path = signReturnPath(newId(), settings)
    const local = path.slice(0, path.indexOf('@'))
    for (const address of [
      local,
      `${local}@`,
      `${local}@other.test`,
      `${path}@bounce.test`,
      `<${path}>`,
      '',
      '@bounce.test',
      'bounce+@bounce.test',
      'postmaster@bounce.test',
    ]) {
      assert.equal(readReturnPath(address, settings), undefined, address)
    }
    fc.assert(fc.property(fc.string(), (text) => readReturnPath(text, settings) === undefined))
  })
})
