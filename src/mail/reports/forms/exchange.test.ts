import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

test('recipients behind a reason whose lines were broken are read', async () => {
  assert.deepEqual(
    await outcomesIn(
      'From: postmaster@old.test',
      '',
      'Your message',
      '',
      'did not reach the following recipient(s):',
      '',
      'one@old.test on Thu, 29 Apr 2007 16:51:51 -0500',
      '    The recipient name is not recognized',
      '\tThe MTS-ID of the original message is: c=de;a= ;p=old',
      ';l=EXCHANGE000000000000000000',
      'two@old.test on Thu, 29 Apr 2007 16:51:51 -0500',
      '    The recipient name is not recognized',
    ),
    [
      ['one@old.test', null, null, 'bounced'],
      ['two@old.test', null, null, 'bounced'],
    ],
  )
})

test('an address within an X.400 one is read', async () => {
  assert.deepEqual(
    await outcomesIn(
      'From: postmaster@old.test',
      '',
      'did not reach the following recipient(s):',
      '',
      'c=DE;a= ;p=OLD;o=Office;dda:SMTP=one@old.test; on Thu, 29 Apr 2007',
      '16:51:51 -0500',
      '    The recipient name is not recognized',
    ),
    [['one@old.test', null, null, 'bounced']],
  )
})
