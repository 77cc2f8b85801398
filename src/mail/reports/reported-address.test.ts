import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddress } from './reported-address.ts'

test('an address is read in whatever spelling a report has it', () => {
  for (const [field, address] of [
    ['rfc822; a@far.test', 'a@far.test'],
    ['RFC822;a@far.test', 'a@far.test'],
    ['LOCAL; <a@far.test>', 'a@far.test'],
    ['a@far.test', 'a@far.test'],
    ['rfc822; <a@far.test>', 'a@far.test'],
    ['rfc822; <a@far.test> (User Unknown)', 'a@far.test'],
    ['rfc822; a@far.test (expanded from b@far.test)', 'a@far.test'],
    ['rfc822; (old) a@far.test', 'a@far.test'],
    ['rfc822; Some One <a@far.test>', 'a@far.test'],
    ['rfc822; <@relay.test:a@far.test>', 'a@far.test'],
    ['rfc822; <@one.test,@two.test:a@far.test>', 'a@far.test'],
    ['rfc822; @one.test,@two.test:a@far.test', 'a@far.test'],
    ['rfc822; "a b"@far.test', '"a b"@far.test'],
    ['rfc822; a%far.test@relay.test', 'a%far.test@relay.test'],
    ['utf-8; zo\\x{EB}@far.test', 'zoë@far.test'],
    ['utf-8; zoë@münchen.test', 'zoë@münchen.test'],
    ['rfc822; a@[192.0.2.1]', 'a@[192.0.2.1]'],
  ] as const) {
    assert.equal(readAddress(field), address, field)
  }
})

test('what is a file, a command line or nothing is no address', () => {
  for (const field of [
    'rfc822;|/usr/bin/vacation a@far.test',
    'rfc822;|/usr/bin/vacation,a@far.test',
    'rfc822;"|/usr/bin/vacation a@far.test"',
    `rfc822; "|IFS=' ' && exec /usr/bin/procmail -f- || exit 75 #a"@far.test`,
    "rfc822; |IFS=' ' && exec /usr/bin/procmail -f- || exit 75 #a@far.test",
    'rfc822;/var/mail/far.test/a@far.test',
    'rfc822; a',
    'rfc822; <>',
    'rfc822; @far.test',
    'rfc822; a@',
    'rfc822; a@far.test b@far.test',
    'rfc822; a@b@far.test',
    '',
  ]) {
    assert.equal(readAddress(field), null, field)
  }
})
