import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

const notice = (...lines: string[]) =>
  outcomesIn(
    'Subject: Delivery status notification',
    'From: Mailer Daemon <MAILER-DAEMON@opensmtpd.test>',
    '',
    '    Hi!',
    '',
    '    This is the MAILER-DAEMON, please DO NOT REPLY to this e-mail.',
    '',
    ...lines,
    '',
    '    Below is a copy of the original message:',
    '',
    'copied@far.test: 550 5.1.1 not this one',
  )

test('the recipients that OpenSMTPD gave up are read', async () => {
  assert.deepEqual(
    await notice(
      '    An error has occurred while attempting to deliver a message for',
      '    the following list of recipients:',
      '',
      'gone@far.test: 550 5.1.1 https://far.test/answer.py?answer=6596 - gsmtp',
      'slow@far.test: Envelope expired',
      'lost@far.test: Domain does not exist',
    ),
    [
      ['gone@far.test', 550, '5.1.1', 'bounced'],
      ['slow@far.test', null, '4.4.7', 'failed'],
      ['lost@far.test', null, null, 'bounced'],
    ],
  )
})

test('those that it still tries to reach are no bounces', async () => {
  assert.deepEqual(
    await notice(
      '    A message is delayed for more than 10 minutes for the following',
      '    list of recipients:',
      '',
      'slow@far.test: Network error on destination MXs',
      '',
      '    Please note that this is only a temporary failure report.',
    ),
    [['slow@far.test', null, null, null]],
  )
})

test('what it says of a delivery is not read as a failure', async () => {
  assert.equal(
    await notice('    Your message was successfully delivered to these recipients.', '', 'one@far.test: Delivered'),
    null,
  )
})
