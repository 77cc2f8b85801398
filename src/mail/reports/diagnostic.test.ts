import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codesOf, cutDiagnostic } from './diagnostic.ts'

test('what the remote host said wins over the status of the relay', () => {
  for (const [status, words, smtpCode, enhancedCode] of [
    // A code of its own.
    ['5.1.1', '550 5.7.1 Blocked, see https://far.test/blacklist', 550, '5.7.1'],
    ['5.1.1', '552 5.2.2 <a@far.test>... Mailbox full', 552, '5.2.2'],
    ['5.0.0', '550 5.1.1 no such user', 550, '5.1.1'],
    ['5.5.0', '550 5.1.1 no such user', 550, '5.1.1'],
    ['5.1.1', '452 4.2.2 over quota', 452, '4.2.2'],
    [null, '550 5.1.1 no such user', 550, '5.1.1'],
    // Words, beside `5.1.1` alone.
    ['5.1.1', '550 mailbox is full', 550, '5.2.2'],
    ['5.1.1', '552 sorry', 552, '5.2.2'],
    ['5.1.1', '550 quota exceeded', 550, '5.2.2'],
    ['5.1.1', '550 Exceeded storage quota', 550, '5.2.2'],
    ['5.1.1', '550 192.0.2.1 is blacklisted', 550, '5.7.1'],
    ['5.1.1', '550 rejected by zen.spamhaus.org', 550, '5.7.1'],
    ['5.1.1', '550 poor reputation', 550, '5.7.1'],
    // Nothing that contradicts.
    ['5.1.1', '550 5.1.1 user unknown, or our spam filter says so', 550, '5.1.1'],
    ['5.1.1', '550 user unknown, see our spam policy', 550, '5.1.1'],
    ['5.1.1', '550 no such user: quota exceeded', 550, '5.1.1'],
    ['5.1.1', '550 5.0.0 refused', 550, '5.1.1'],
    ['5.1.1', 'unknown user: "a"', null, '5.1.1'],
    ['5.1.1', '', null, '5.1.1'],
    ['5.4.4', '550 mailbox is full', 550, '5.4.4'],
    // A code of another class.
    ['5.4.7', '451 4.7.1 greylisted', 451, '5.4.7'],
    ['2.0.0', '451 4.7.1 greylisted', 451, '2.0.0'],
  ] as const) {
    assert.deepEqual(codesOf(status, words), { smtpCode, enhancedCode }, `${status} ${words}`)
  }
})

test('a reply is found in whatever words it is wrapped', () => {
  for (const [words, smtpCode, enhancedCode] of [
    ['550 5.1.1 <a@far.test>... User Unknown', 550, '5.1.1'],
    ['550-5.1.1 first 550 5.1.1 second', 550, '5.1.1'],
    ['550 #5.1.0 Address rejected.', 550, '5.1.0'],
    ['host mx.far.test[192.0.2.1] said: 550 5.1.1 <a@far.test>: no (in reply to RCPT TO command)', 550, '5.1.1'],
    ["5.1.0 - Unknown address error 550-'5.7.1 <a@far.test>: refused' (delivery attempts: 0)", 550, '5.7.1'],
    ["5.1.0 - Unknown address error 550-'No such user (a) -ERR not found'", 550, '5.1.0'],
    [`5.3.0 - Other mail system problem 554-"5.7.1 refused"`, 554, '5.7.1'],
    ["5.4.7 - Delivery expired (message too old) 421-'4.4.2 timed out' (delivery attempts: 9)", 421, '4.4.2'],
    ["5.1.2 - Bad destination host 'DNS Hard Error looking up far.test (MX): NXDomain'", null, '5.1.2'],
    ['550 550 5.7.1 Access denied', 550, '5.7.1'],
    ['554 550 5.7.1 of another', 554, null],
    ['501: 5.1.8 Sender address rejected', 501, '5.1.8'],
    ['550 - Requested action not taken', 550, null],
    ['connect to 192.0.2.1[192.0.2.1]:25: Connection refused', null, null],
    ['[2001:db8::220:6d]:25: socket error', null, null],
    ['The account has 550 mails', null, null],
    ['error 5500', null, null],
  ] as const) {
    assert.deepEqual(codesOf(null, words), { smtpCode, enhancedCode }, words)
  }
})

test('a thousand characters of a diagnostic are kept', () => {
  assert.equal(cutDiagnostic('x'.repeat(1_001)), 'x'.repeat(1_000))
  assert.equal(cutDiagnostic(''), null)
})
