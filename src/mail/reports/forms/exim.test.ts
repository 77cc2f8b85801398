import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

test("Exim's words are read without its header", async () => {
  assert.deepEqual(
    await outcomesIn(
      'From: Mailer-Daemon@exim.test (Mail Delivery System)',
      '',
      'This message was created automatically by mail delivery software.',
      '',
      'A message that you sent could not be delivered to one or more of its',
      'recipients. This is a permanent error. The following address(es) failed:',
      '',
      '  one@far.test',
      '    (generated from list@exim.test)',
      '    SMTP error from remote mail server after end of data:',
      '    host smtp.far.test [192.0.2.1]: 550 5.2.0 Mail rejected. OFR_506 [506]',
      '  |/usr/bin/vacation two@far.test',
      '    Child process returned 1',
      '  three@far.test',
      '    retry timeout exceeded',
      '',
      '------ This is a copy of the message, including all the headers. ------',
      '',
      '  copied@far.test',
    ),
    [
      ['one@far.test', 550, '5.2.0', 'bounced'],
      ['three@far.test', null, '4.4.7', 'failed'],
    ],
  )
})
