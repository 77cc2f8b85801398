import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

test("a technical report of Amazon WorkMail's is read", async () => {
  const notice = (...fields: string[]) =>
    outcomesIn(
      'From: MAILER-DAEMON@us-west-2.amazonses.test',
      'X-Mailer: Amazon WorkMail',
      'Content-Type: text/plain; charset=iso-8859-15',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'An error occurred while trying to deliver the mail to the following recip=',
      'ients:',
      'one@far.test',
      '',
      'Technical report:',
      '',
      'Reporting-MTA: d=',
      'sn; a27-85.amazonses.test',
      '',
      ...fields,
    )
  assert.deepEqual(
    await notice(
      'Action: failed',
      'Final-Recipient: rfc822; one@far.test',
      'Diagnostic-Code: smtp; 550 5.1.1 <one@far.test>... User Unknown',
      'Status: 5.1.1',
    ),
    [['one@far.test', 550, '5.1.1', 'bounced']],
  )
  assert.deepEqual(
    await notice(
      'Action: failed',
      'Final-Recipient: rfc822; one@far.test',
      'Diagnostic-Code: smtp; 554 4.4.7 Message expired: unable to deliver in 840 minutes.<421 4.4.2 Connection timed out>',
      'Status: 4.4.7',
    ),
    [['one@far.test', 554, '4.4.7', 'failed']],
  )
  assert.equal(await notice('Nothing was found out.'), null)
})
