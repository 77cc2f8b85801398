import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

test('a reply counts for every recipient that MailMarshal lists', async () => {
  assert.deepEqual(
    await outcomesIn(
      'From: postmaster@marshal.test',
      '',
      'Your message:',
      '   From:    me@near.test',
      '   Subject: Hello',
      '',
      'Could not be delivered because of',
      '',
      '550 5.1.1 User unknown',
      '',
      'The following recipients were affected: ',
      '    one@far.test',
      '    two@far.test',
      '',
      'Additional Information',
      'Original Sender:    <me@near.test>',
    ),
    [
      ['one@far.test', 550, '5.1.1', 'bounced'],
      ['two@far.test', 550, '5.1.1', 'bounced'],
    ],
  )
})
