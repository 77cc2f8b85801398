import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

const notice = (...lines: string[]) => outcomesIn('From: Postmaster@ezweb.test', '', ...lines)

test('a dialogue that KDDI shows is read', async () => {
  assert.deepEqual(
    await notice(
      'Each of the following recipients was rejected by a remote',
      'mail server.',
      '',
      '    Recipient: <one@ezweb.test>',
      '    >>> RCPT TO:<one@ezweb.test>',
      '    <<< 550 <one@ezweb.test>: User unknown',
      '    Recipient: <two@ezweb.test>',
      '    >>> RCPT TO:<two@ezweb.test>',
      '    <<< 552 5.2.2 full',
    ),
    [
      ['one@ezweb.test', 550, null, 'bounced'],
      ['two@ezweb.test', 552, '5.2.2', 'bounced'],
    ],
  )
})

test('so is an older notice, which has the address alone', async () => {
  assert.deepEqual(
    await notice(
      '<one@ezweb.test>',
      '',
      'Each of the following recipients was rejected by a remote mail server.',
      '---------------------------------------------------',
      '<copied@ezweb.test>',
    ),
    [['one@ezweb.test', null, null, 'bounced']],
  )
})
