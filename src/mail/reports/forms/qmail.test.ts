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

test('nothing behind the dashes is read, however many empty lines are before them', async () => {
  for (const empty of [[''], ['', ''], ['', '', ' '], ['', '', '', '']]) {
    assert.deepEqual(
      await outcomesIn(
        'From: MAILER-DAEMON@host.test',
        '',
        'Hi. This is the qmail-send program at host.test.',
        ...empty,
        '<one@host.test>:',
        'Sorry, no mailbox here by that name. (#5.1.1)',
        ...empty,
        '--- Below this line is a copy of the message.',
        '',
        '<copied@host.test>:',
        'Sorry, no mailbox here by that name. (#5.1.1)',
      ),
      [['one@host.test', null, '5.1.1', 'bounced']],
      JSON.stringify(empty),
    )
  }
})
