import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomesIn } from '../../../../test/support/returned-mail.ts'

const notice = (heading: string, ...lines: string[]) =>
  outcomesIn(
    'From: Mail Delivery Subsystem <MAILER-DAEMON@sendmail.test>',
    '',
    'The original message was received at Thu, 29 Apr 1999 23:34:45 -0500 (CDT)',
    'from [192.0.2.64]',
    '',
    heading,
    ...lines,
    '',
    '   ----- Transcript of session follows -----',
    '550 5.1.1 <copied@far.test>... not this one',
  )

test("Sendmail's list of addresses is read where its fields are lost", async () => {
  assert.deepEqual(
    await notice(
      '   ----- The following addresses had permanent fatal errors -----',
      '<one@far.test>',
      '    (reason: 550 5.1.1 <one@far.test>... User Unknown)',
      '<two@far.test>  (unrecoverable error)',
      `"|IFS=' ' && exec /usr/local/bin/procmail -f- || exit 75 #three"`,
      '    (expanded from: <three@near.test>)',
    ),
    [
      ['one@far.test', 550, '5.1.1', 'bounced'],
      ['two@far.test', null, null, 'bounced'],
      ['three@near.test', null, null, 'bounced'],
    ],
  )
})

test('so is that of others that follow it', async () => {
  const expected = [['one@far.test', null, null, 'bounced']]
  assert.deepEqual(
    await notice('   ----- The following addresses had delivery problems -----', 'one@far.test'),
    expected,
  )
  assert.deepEqual(
    await notice('---The following addresses had delivery errors---', '', 'one@far.test [User unknown]'),
    expected,
  )
})

test('whom an alias led to and the alias are both named, in angle brackets or without', async () => {
  const heading = '   ----- The following addresses had permanent fatal errors -----'
  assert.deepEqual(await notice(heading, '>>> one@far.test', '    (expanded from: alias@near.test)'), [
    ['one@far.test', null, null, 'bounced'],
    ['alias@near.test', null, null, 'bounced'],
  ])
})

test('addresses that it is still trying are no bounces', async () => {
  const heading = '   ----- The following addresses had transient non-fatal errors -----'
  assert.equal(await notice(heading, '<one@far.test>'), null)
})
