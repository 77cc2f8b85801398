import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

const notice = (...reason: string[]) =>
  outcomesIn(
    'X-Original-To: <one@far.test>',
    'From: MAILER-DAEMON <>',
    'Subject: Mail delivery failed',
    '',
    'This is the DragonFly Mail Agent v0.13 at df.test.',
    '',
    'There was an error delivering your mail to <one@far.test>.',
    '',
    ...reason,
    '',
    'Message headers follow.',
    '',
    'Subject: 550 5.1.1 not this one',
  )

test('a reply that the DragonFly Mail Agent quotes over several paragraphs is read', async () => {
  assert.deepEqual(
    await notice(
      'mx.far.test [192.0.2.1] did not like our final DATA:',
      "550-5.7.26 Unauthenticated email is not accepted due to domain's",
      '',
      '550 5.7.26 DMARC policy.',
    ),
    [['one@far.test', 550, '5.7.26', 'bounced']],
  )
})

test('a message that it kept for too long is given up', async () => {
  assert.deepEqual(await notice('Could not deliver for the last 432000 seconds. Giving up.'), [
    ['one@far.test', null, '4.4.7', 'failed'],
  ])
})

test('a reason without codes is one for a refusal', async () => {
  assert.deepEqual(await notice('unknown host'), [['one@far.test', null, null, 'bounced']])
})
