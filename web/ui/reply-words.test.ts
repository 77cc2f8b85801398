import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meaningOf, reasonOf, saidBy } from './reply-words.ts'

const reply = (smtpCode: number | null, enhancedCode: string | null, text: string | null = null) => {
  return { smtpCode, enhancedCode, text }
}

test('an answer is explained by its enhanced code, else by its code, and else stands as it is', () => {
  assert.equal(reasonOf(reply(550, '5.1.1', 'no such user')), 'Mailbox does not exist (5.1.1)')
  assert.equal(reasonOf(reply(null, '4.2.2')), 'Mailbox is full (4.2.2)')
  assert.equal(reasonOf(reply(451, '4.7.1')), 'Deferred by their policy (4.7.1)')
  assert.equal(reasonOf(reply(421, null, 'busy')), 'Their server is not available now (421)')
  assert.equal(reasonOf(reply(550, '5.99.99', 'odd')), 'Refused (5.99.99)')
  assert.equal(reasonOf(reply(499, null, 'odd')), '499 odd')
  assert.equal(reasonOf(reply(null, 'nonsense', 'odd')), 'nonsense odd')
  assert.equal(reasonOf(reply(null, null, 'cancelled')), 'Cancelled')
  assert.equal(reasonOf(reply(null, null, 'suppressed')), 'Mail to the address is stopped')
  assert.equal(reasonOf(reply(null, null, 'gave up: the relay cannot be reached')), 'Given up')
  assert.equal(reasonOf(reply(null, null)), undefined)
})

test('what went well needs no explanation', () => {
  assert.equal(meaningOf(reply(250, '2.1.5', 'ok')), undefined)
  assert.equal(meaningOf(reply(null, '2.0.0')), undefined)
  assert.equal(saidBy(reply(250, '2.0.0', 'ok')), '250 2.0.0 ok')
  assert.equal(saidBy(reply(250, '2.0.0', '250 2.0.0 ok')), '250 2.0.0 ok')
})

test('words of a server that are those of ours mean nothing else', () => {
  assert.equal(reasonOf(reply(550, null, 'cancelled')), 'Refused (550)')
  assert.equal(reasonOf(reply(null, '5.0.0', 'cancelled')), '5.0.0 cancelled')
})
