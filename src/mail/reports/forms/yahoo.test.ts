import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

test("a notice of Yahoo's is read, with its colon behind the code", async () => {
  assert.deepEqual(
    await outcomesIn(
      'From: MAILER-DAEMON@yahoo.test',
      'Subject: Failure Notice',
      '',
      'Sorry, we were unable to deliver your message to the following address.',
      '',
      '<gone@far.test>:',
      'Remote host said: 550 5.1.1 <gone@far.test>... User Unknown [RCPT_TO]',
      '',
      '<me@near.test>:',
      '501: 5.1.8 Sender address rejected',
      '',
      '--- Below this line is a copy of the message.',
      '',
      '<copied@far.test>:',
      '550 5.1.1 not this one',
    ),
    [
      ['gone@far.test', 550, '5.1.1', 'bounced'],
      ['me@near.test', 501, '5.1.8', 'bounced'],
    ],
  )
})

test("so is one in Yahoo's older words", async () => {
  assert.deepEqual(
    await outcomesIn(
      'From: MAILER-DAEMON@yahoo.test',
      '',
      'Message from yahoo.test.',
      'Unable to deliver message to the following address(es).',
      '',
      '<gone@yahoo.test>:',
      "This user doesn't have a yahoo.test account (gone@yahoo.test) [-9]",
      '',
      '--- Original message follows.',
    ),
    [['gone@yahoo.test', null, null, 'bounced']],
  )
})
