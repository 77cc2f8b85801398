import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

test("a delivery failure of Domino's is read", async () => {
  const notice = (reason: string) =>
    outcomesIn(
      'From: Postmaster@domino.test',
      'Subject: DELIVERY FAILURE: User One (one@domino.test) not listed in Domino Directory',
      '',
      'Your message',
      '',
      '  Subject: Hello',
      '',
      'was not delivered to:',
      '',
      '  one@domino.test',
      '',
      'because:',
      '',
      `  ${reason}`,
    )
  assert.deepEqual(await notice('User One (one@domino.test) not listed in Domino Directory'), [
    ['one@domino.test', null, null, 'bounced'],
  ])
  assert.deepEqual(await notice('550 5.7.1 Refused'), [['one@domino.test', 550, '5.7.1', 'bounced']])
})
