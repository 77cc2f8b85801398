import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { SecretKey } from '../lib/secret-box.ts'
import { newId } from '../lib/uuid.ts'
import { readEnvelopeId, signEnvelopeId } from './envelope-id.ts'
import { returnPathSettings, signReturnPath } from './return-path.ts'

const secretKey = (version: number): SecretKey => ({ version, key: createSecretKey(randomBytes(32)) })
const first = secretKey(1)
const second = secretKey(2)
const settings = returnPathSettings('bounce.test', [first])
const id = newId()
const made = signEnvelopeId(id, settings)

describe('an envelope id', () => {
  test('is the id and two codes, of what needs no xtext, and no longer than RFC 3461 allows', () => {
    assert.match(made, /^[0-9a-f-]{36}\.[0-9a-f]{24}\.[0-9a-f]{24}$/)
    assert(made.startsWith(`${id}.`) && made.length <= 100)
  })

  test('names the message it was made for, in whatever case', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.infiniteStream(fc.boolean()), (message, upper) => {
        const given = [...signEnvelopeId(message, settings)]
          .map((character) => (upper.next().value ? character.toUpperCase() : character))
          .join('')
        assert.equal(readEnvelopeId(given, settings), message)
      }),
    )
  })

  test('is known when a reporter leaves its xtext, folds it, or puts white space around it', () => {
    const inXtext = (pattern: RegExp) =>
      made.replace(pattern, (character) => `+${character.charCodeAt(0).toString(16).toUpperCase()}`)
    for (const given of [inXtext(/[.-]/g), inXtext(/./g), ` ${made}\t`, `${made.slice(0, 50)}\r\n ${made.slice(50)}`]) {
      assert.equal(readEnvelopeId(given, settings), id, given)
    }
  })

  test('made with an older key still counts, and new ones are made with the current key', () => {
    const rotated = returnPathSettings('bounce.test', [second, first])
    assert.equal(readEnvelopeId(made, rotated), id)
    assert.notEqual(signEnvelopeId(id, rotated), made)
    assert.equal(readEnvelopeId(made, returnPathSettings('bounce.test', [second])), undefined)
  })

  test('with a single character changed, added or left out counts for nothing', () => {
    for (let i = 0; i < made.length; i++) {
      for (const other of ['0', 'f', '.', '-', '']) {
        if (other === made[i]) continue
        const changed = made.slice(0, i) + other + made.slice(i + 1)
        assert.equal(readEnvelopeId(changed, settings), undefined, changed)
      }
    }
    for (const wrong of [`${made}0`, `0${made}`, `<${made}>`, `${made}.`]) {
      assert.equal(readEnvelopeId(wrong, settings), undefined, wrong)
    }
  })

  test('cannot be made of what recipients see, nor of the codes of other messages', () => {
    const [, firstCode, secondCode] = made.split('.')
    const [, otherFirst, otherSecond] = signEnvelopeId(newId(), settings).split('.')
    for (const codes of [
      [firstCode, firstCode],
      [secondCode, secondCode],
      [secondCode, firstCode],
      [firstCode, otherSecond],
      [otherFirst, secondCode],
      [otherFirst, otherSecond],
    ]) {
      assert.equal(readEnvelopeId([id, ...codes].join('.'), settings), undefined)
    }
    const path = signReturnPath(id, settings)
    for (const text of ['', id, path, path.slice(path.indexOf('+') + 1, path.indexOf('@')), `${id}.${firstCode}`]) {
      assert.equal(readEnvelopeId(text, settings), undefined, text)
    }
    fc.assert(fc.property(fc.string(), (text) => readEnvelopeId(text, settings) === undefined))
  })
})
