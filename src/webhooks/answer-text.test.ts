import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AnswerHeaders, Outcome } from '../lib/public-fetch/exchange.ts'
import { ANSWER_KEPT_BYTES, answerText } from './answer-text.ts'

function answer(body: string | Uint8Array, headers: AnswerHeaders = {}, isCut = false): Outcome {
  return { kind: 'response', status: 500, headers, body: Buffer.from(body), isCut, durationMs: 1 }
}
const ofType = (type: string | string[]) => answerText(answer('x', { 'content-type': type }))

test('of an answer its first 1,000 octets are kept, and no part of a character', () => {
  assert.equal(answerText(answer('a'.repeat(ANSWER_KEPT_BYTES))), 'a'.repeat(1_000))
  assert.equal(answerText(answer('a'.repeat(ANSWER_KEPT_BYTES + 1))), 'a'.repeat(1_000))
  assert.equal(answerText(answer(`${'a'.repeat(996)}📎`)), `${'a'.repeat(996)}📎`)
  for (const before of [997, 998, 999]) {
    assert.equal(answerText(answer(`${'a'.repeat(before)}📎`)), 'a'.repeat(before))
  }
  assert.equal(answerText(answer(Buffer.from('Grü').subarray(0, 3), {}, true)), 'Gr')
})

test('what is no UTF-8 is replaced, and no control character is kept but tab and line feed', () => {
  assert.equal(answerText(answer(Uint8Array.of(0x61, 0xff, 0xc3))), 'a\ufffd\ufffd')
  assert.equal(answerText(answer(Uint8Array.of(0xed, 0xa0, 0x80))), '\ufffd\ufffd\ufffd')
  const all = String.fromCharCode(...Array.from({ length: 160 }, (_, code) => code))
  assert.equal(answerText(answer(all)), `\t\n${all.slice(32, 127)}`)
  assert.equal(answerText(answer('\0\0')), null)
})

test('text is kept, and nothing else', () => {
  for (const type of [
    ...['text/plain', 'text/html; charset=utf-8', 'TEXT/HTML', ' application/json', 'application/problem+json'],
    ...[
      'application/json;charset=utf-8',
      'application/xml',
      'application/soap+xml',
      'application/x-www-form-urlencoded',
    ],
  ]) {
    assert.equal(ofType(type), 'x', type)
  }
  for (const type of [
    ...['', 'application/octet-stream', 'image/png', 'image/svg+xml', 'application/jsonx', 'application/zip; a=+json'],
    ...['x text/plain', 'multipart/form-data'],
  ]) {
    assert.equal(ofType(type), null, type)
  }
  assert.equal(answerText(answer('x')), 'x')
  assert.equal(answerText(answer('x', { 'content-encoding': 'gzip' })), null)
  assert.equal(answerText(answer('x', { 'content-encoding': 'Identity' })), 'x')
})

test('a header that comes twice, as from a receiver that means ill, is no fault of ours', () => {
  assert.equal(ofType(['text/plain', 'image/png']), 'x')
  assert.equal(ofType(['image/png', 'text/plain']), null)
  assert.equal(answerText(answer('x', { 'content-encoding': ['gzip', 'br'] })), null)
})

test('without a body there is nothing to keep', () => {
  assert.equal(answerText(answer('')), null)
  assert.equal(answerText({ kind: 'timeout', detail: '', durationMs: 1 }), null)
  assert.equal(answerText({ ...(answer('moved') as object), kind: 'redirect', detail: '' } as Outcome), 'moved')
})
