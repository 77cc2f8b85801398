import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isPermanent, parseReply, shortLine } from './relay-reply.ts'

test('a reply is taken apart', () => {
  for (const [reply, code, enhancedCode, text] of [
    ['250 2.0.0 Ok: queued as 4XYZ', 250, '2.0.0', 'Ok: queued as 4XYZ'],
    ['250 OK', 250, null, 'OK'],
    ['250', 250, null, ''],
    ['550-5.1.1 <a@b.test>: Recipient\r\n550 5.1.1 rejected\r\n', 550, '5.1.1', '<a@b.test>: Recipient rejected'],
    ['550-5.1.1 first\n550 second', 550, '5.1.1', 'first second'],
    ['451 4.3.0', 451, '4.3.0', ''],
    ['550 5.1.10.9 odd', 550, null, '5.1.10.9 odd'],
    ['554 tab\tand\u0000control\u001b[31m', 554, null, 'tab and control [31m'],
  ] as const) {
    assert.deepEqual(parseReply(reply), { code, enhancedCode, text }, reply)
  }
})

test('what is no reply is none', () => {
  for (const text of [
    '',
    'hello',
    '25 ok',
    '2500 ok',
    '250ok',
    '150 ok',
    '650 ok',
    ' 250 ok',
    'HTTP/1.1 400 Bad Request',
  ]) {
    assert.equal(parseReply(text), undefined, text)
  }
})

test('the text of any reply is one short line that can be stored', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = parseReply(`550 ${text}`)?.text ?? ''
      assert.doesNotMatch(line, /[\p{Cc}\p{Cs}]/u)
    }),
  )
  assert.equal(shortLine('x'.repeat(5_000)).length, 1_001)
})

test('5xx is permanent, 4xx is not, and neither are too many recipients', () => {
  const reply = (code: number, enhancedCode: string | null = null) => ({ code, enhancedCode, text: '' })
  assert.equal(isPermanent(reply(550)), true)
  assert.equal(isPermanent(reply(450)), false)
  assert.equal(isPermanent(reply(552, '5.2.2')), true)
  assert.equal(isPermanent(reply(552, '5.5.3')), false)
})
