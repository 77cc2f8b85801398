import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

const notice = (opening: string) =>
  outcomesIn(
    'From: postmaster@exchange.test',
    'Auto-Submitted: auto-replied',
    '',
    opening,
    '',
    'one@far.test<mailto:one@far.test>',
    "The email address wasn't found at the destination domain.",
    '',
    'Diagnostic information for administrators:',
    '',
    'Generating server: EX01.exchange.test',
    '',
    'one@far.test',
    "Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found'",
    '',
    'two@far.test',
    '#550 5.2.2 STOREDRV.Deliver: mailbox full ##',
    '',
    'three@far.test',
    '#< #4.4.7 smtp; 550 4.4.7 QUEUE.Expired; message expired> #SMTP#',
    '',
    'Original message headers:',
    '',
    'copied@far.test',
  )

test('the section for administrators is read', async () => {
  for (const whom of ['groups', 'distribution lists']) {
    assert.deepEqual(await notice(`Delivery has failed to these recipients or ${whom}:`), [
      ['one@far.test', 550, '5.1.10', 'bounced'],
      ['two@far.test', 550, '5.2.2', 'bounced'],
      ['three@far.test', 550, '4.4.7', 'failed'],
    ])
  }
})

test('that of a delay is not', async () => {
  assert.equal(await notice('Delivery is delayed to these recipients or groups:'), null)
})
