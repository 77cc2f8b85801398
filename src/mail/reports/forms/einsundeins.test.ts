import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

const notice = (...lines: string[]) =>
  outcomesIn(
    'From: "Mail Delivery System" <mailer-daemon@kundenserver.test>',
    'Auto-Submitted: auto-replied',
    '',
    'This message was created automatically by mail delivery software.',
    '',
    'A message that you sent could not be delivered to one or more of',
    'its recipients. This is a permanent error. The following address(es)',
    'failed:',
    '',
    ...lines,
    '',
    '--- The header of the original message is following. ---',
    '',
    'copied@far.test:',
  )

test('recipients and the replies beneath are read, indented or not', async () => {
  const reply = 'SMTP error from remote server for RCPT TO command, host: mx.far.test (192.0.2.1) reason: '
  assert.deepEqual(
    await notice(
      'one@far.test:',
      `${reply}550-5.1.1 The email account that you tried to reach does not exist. Please`,
      ' try',
      "550-5.1.1 double-checking the recipient's email address",
      '',
      '    two@far.test:',
      `        ${reply}554 5.7.1 Refused`,
    ),
    [
      ['one@far.test', 550, '5.1.1', 'bounced'],
      ['two@far.test', 554, '5.7.1', 'bounced'],
    ],
  )
})

test('a reason without codes is one for a refusal', async () => {
  assert.deepEqual(
    await notice(
      'one@far.test',
      '',
      'For the following reason:',
      '',
      'Mail size limit exceeded. For explanation visit',
    ),
    [['one@far.test', null, null, 'bounced']],
  )
})

test('Exim’s words without the line behind them are not read where no mail system wrote them', async () => {
  assert.equal(
    await outcomesIn(
      'From: one@kundenserver.test',
      '',
      'This message was created automatically by mail delivery software.',
      'The following address(es) failed:',
      '',
      'one@far.test',
    ),
    null,
  )
})
