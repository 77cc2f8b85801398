import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

const notice = (...lines: string[]) =>
  outcomesIn(
    'From: MAILER-DAEMON@gmx.test',
    'Subject: Mail delivery failed: returning message to sender',
    '',
    'This message was created automatically by mail delivery software.',
    '',
    'A message that you sent could not be delivered to one or more of',
    'its recipients. This is a permanent error. The following address',
    'failed:',
    '',
    ...lines,
    '',
    '--- The header of the original message is following. ---',
    '',
    'To: "copied@far.test":',
    '"copied@far.test":',
  )

test("recipients in quotation marks are read, with GMX's codes at the beginning of a line", async () => {
  assert.deepEqual(
    await notice(
      '"one@far.test":',
      'SMTP error from remote server after RCPT command:',
      'host: mx.far.test',
      '5.2.1 <one@far.test>... User Unknown',
      '"two@far.test":',
      'SMTP error from remote server after RCPT command:',
      'host: mx.far.test',
      '5.2.2 <two@far.test>... Mailbox Full',
    ),
    [
      ['one@far.test', null, '5.2.1', 'bounced'],
      ['two@far.test', null, '5.2.2', 'bounced'],
    ],
  )
})

test('a recipient in angle brackets that was tried for too long is given up', async () => {
  assert.deepEqual(await notice('<slow@far.test>', '', 'Reason:', 'delivery retry timeout exceeded'), [
    ['slow@far.test', null, '4.4.7', 'failed'],
  ])
})
