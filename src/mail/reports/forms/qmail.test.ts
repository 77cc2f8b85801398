import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

test("qmail's paragraphs are read behind the words of a host that has taken them over", async () => {
  assert.deepEqual(
    await outcomesIn(
      'From: MAILER-DAEMON@host.test',
      'Subject: failure notice',
      '',
      'Your mail message to the following address(es) could not be delivered. This',
      'is a permanent error.',
      '',
      '<one@host.test>:',
      "child status 100...The e-mail message could not be delivered because the user's mailfolder is full.",
      '',
      '--- Below this line is a copy of the message.',
    ),
    [['one@host.test', null, null, 'bounced']],
  )
})
