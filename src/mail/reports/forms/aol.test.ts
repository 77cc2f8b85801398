import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

const refusal = [
  'Subject: Mail Delivery Problem',
  '',
  'Sorry sender@send.test. Your mail to the following recipients could not be delivered because they are not accepting mail with attachments or embedded images:',
  '\tonename',
  '\tothername',
  '',
  '\tsignature',
]

test("AOL's screen names are addresses at AOL", async () => {
  assert.deepEqual(await outcomesIn('From: Mail Delivery Subsystem <MAILER-DAEMON@aol.com>', ...refusal), [
    ['onename@aol.com', null, null, 'bounced'],
    ['othername@aol.com', null, null, 'bounced'],
  ])
})

test("in another's mail they are nobody's", async () => {
  assert.equal(await outcomesIn('From: Mail Delivery Subsystem <MAILER-DAEMON@far.test>', ...refusal), null)
})
