import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

test("a line of Zoho's for each recipient is read, with its codes", async () => {
  assert.deepEqual(
    await outcomesIn(
      'From: mailer-daemon@mail.zoho.test',
      'Subject: Undelivered Mail Returned to Sender',
      '',
      'This message was created automatically by mail delivery software.',
      'A message that you sent could not be delivered to one or more of its recipients. This is a permanent error. ',
      '',
      'gone@far.test Invalid Address, ERROR_CODE :550, ERROR_CODE :5.2.1 <gone@far.test>... User Unknown',
      'odd@far.test Invalid Address, ERROR_CODE :550, ERROR_CODE :Requested action not taken: mailbox unavailable',
      '[Status: Error, Address: <slow@far.test>, ResponseCode 421, , Host not reachable.]',
      '',
      '',
      'Received:from mail.zoho.test by mx.zoho.test',
      'To:<gone@far.test>, <odd@far.test>',
    ),
    [
      ['gone@far.test', 550, '5.2.1', 'bounced'],
      ['odd@far.test', 550, null, 'bounced'],
      ['slow@far.test', 421, null, 'failed'],
    ],
  )
})
