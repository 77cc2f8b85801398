import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mail, outcomesIn, readMail } from '../../../../test/support/returned-mail.ts'

const DAEMON = ['From: mailer-daemon@relay.test', 'Subject: failure notice', '']
const GONE = [['gone@far.test', null, '5.1.1', 'bounced']]
const FULL = [['gone@far.test', null, '5.2.2', 'bounced']]
const FAILED = [['gone@far.test', null, null, 'bounced']]
const DELAYED = [['gone@far.test', null, null, null]]

const forms: Record<string, { lines: string[]; outcomes: unknown }> = {
  'a paragraph of qmail behind words of its own': {
    lines: ['We could not reach these.', '', '<gone@far.test>:', 'Sorry, no mailbox here by that name. (#5.1.1)'],
    outcomes: GONE,
  },
  'paragraphs without a reason': {
    lines: ['sina.', '', '<gone@far.test>:', '', '<other@far.test>:', ''],
    outcomes: [...FAILED, ['other@far.test', null, null, 'bounced']],
  },
  'an address and the reason behind it, as of the first Postfix': {
    lines: [
      "I'm sorry to have to inform you that the message returned",
      'below could not be delivered to one or more destinations.',
      '',
      'For further assistance, please contact <postmaster@relay.test>',
      'You can delete your own text from the message returned below.',
      '',
      '<gone@far.test>: host mx.far.test[192.0.2.1] said: 550 5.1.1',
      '    <gone@far.test>... User unknown',
    ],
    outcomes: [['gone@far.test', 550, '5.1.1', 'bounced']],
  },
  'a list': {
    lines: [
      'Delivery to the following recipients failed permanently:',
      '',
      '  * gone@far.test',
      '  * other@far.test',
      '',
      '550 5.1.1 No such user other@far.test',
    ],
    outcomes: [...FAILED, ['other@far.test', null, '5.1.1', 'bounced']],
  },
  'several groups of failures': {
    lines: [
      'Unknown user: gone@far.test',
      '',
      'RCPT TO generated following response:',
      '550 5.1.1 <gone@far.test>... Addressee unknown',
      '',
      'Unknown user: other@far.test',
    ],
    outcomes: [
      ['gone@far.test', 550, '5.1.1', 'bounced'],
      ['other@far.test', null, '5.1.1', 'bounced'],
    ],
  },
  'a list, and replies beneath': {
    lines: [
      'Your message could not be delivered to the following recipients:',
      '',
      'gone@far.test',
      'full@far.test',
      '',
      'Remote host said: 550 5.1.1 <gone@far.test>... User unknown',
      'Remote host said: 552 5.2.2 <full@far.test>... Mailbox full',
    ],
    outcomes: [
      ['gone@far.test', 550, '5.1.1', 'bounced'],
      ['full@far.test', null, null, 'bounced'],
    ],
  },
  'a label': { lines: ["User's mailbox is full: <gone@far.test>", 'Unable to deliver mail.'], outcomes: FULL },
  'another label': { lines: ['User mailbox exceeds allowed size: gone@far.test'], outcomes: FULL },
  'a number of attempts': { lines: ['Delivery failed 20 attempts: gone@far.test'], outcomes: FAILED },
  'one that cannot be delivered to': { lines: ['undeliverable  to gone@far.test'], outcomes: FAILED },
  'a name before the address': {
    lines: ['The email below could not be delivered to the following user:', '', '"Gone, A" <gone@far.test>'],
    outcomes: FAILED,
  },
  'a recipient with its protocol': {
    lines: [
      'The following recipient(s) could not be reached:',
      '',
      '\tRecipient: [SMTP:gone@far.test]',
      '\tReason: Remote SMTP Server Returned: 550 mailbox unavailable.',
    ],
    outcomes: [['gone@far.test', 550, null, 'bounced']],
  },
  'an address that is not one': {
    lines: ["You sent mail to gone@far.test. That's not a valid user here."],
    outcomes: GONE,
  },
  'a rejection': {
    lines: ['Your message to <gone@far.test> was automatically rejected:', 'Quota exceeded'],
    outcomes: FULL,
  },
  'a mailbox in the middle of words': {
    lines: ['Local mailbox gone@far.test is unavailable: user not found'],
    outcomes: GONE,
  },
  'no further attempts': {
    lines: ['Unable to deliver message to: <gone@far.test>', '', 'No further delivery attempts will be made.'],
    outcomes: FAILED,
  },
  'a list with reasons on its lines': {
    lines: [
      'The message that you sent was undeliverable to the following:',
      '',
      '\tgone@far.test (user not found)',
      '\tfull@far.test (mailbox full)',
    ],
    outcomes: [...GONE, ['full@far.test', null, '5.2.2', 'bounced']],
  },
  'the end of a sentence': {
    lines: ['Delivery to the following recipients failed.', '', '  gone@far.test'],
    outcomes: FAILED,
  },
  'behind a transcript that is announced': {
    lines: [
      'A transcript of the attempts to send the message follows.',
      'The number of attempts made: 1',
      'Addressed To: gone@far.test',
    ],
    outcomes: FAILED,
  },
  'a reason behind dots': {
    lines: ['550 gone@far.test... User unknown'],
    outcomes: [['gone@far.test', 550, '5.1.1', 'bounced']],
  },
  'a reply with the address': { lines: ['<<< 553 Invalid recipient gone@far.test (Mode: normal)'], outcomes: GONE },
  'a short form of not': { lines: ["Your message wasn't delivered to gone@far.test."], outcomes: FAILED },
  'what was not collected': {
    lines: ["The following message, addressed to 'gone@far.test',", 'failed because it was not collected'],
    outcomes: FAILED,
  },
  'an old session of Sendmail': {
    lines: ['   ----- Transcript of session follows -----', '550 <gone@far.test>... User unknown'],
    outcomes: [['gone@far.test', 550, '5.1.1', 'bounced']],
  },
  French: { lines: ["Votre message n'a pas pu être délivré à", 'gone@far.test'], outcomes: FAILED },
  Spanish: { lines: ['Su mensaje no ha podido ser entregado a: gone@far.test'], outcomes: FAILED },
  German: { lines: ['Ihre Nachricht an <gone@far.test> konnte nicht zugestellt werden.'], outcomes: FAILED },
  Italian: { lines: ['Non è stato possibile consegnare il messaggio a gone@far.test'], outcomes: FAILED },
  'a delay in words': {
    lines: ['Your message to:', '\tgone@far.test', '', 'has not yet been delivered.', 'This is just a warning.'],
    outcomes: DELAYED,
  },
  'a delay of a list': {
    lines: ['could not be delivered to the following recipients:', '', 'gone@far.test', '', 'We will continue to try.'],
    outcomes: DELAYED,
  },
  'a paragraph of one that is still tried': {
    lines: ['THIS IS A WARNING ONLY.', '', '<gone@far.test>: connect to mx.far.test: Connection timed out'],
    outcomes: DELAYED,
  },
  'causes there may be': {
    lines: ['Could not deliver your message to gone@far.test. The user may be unknown or the mailbox is full.'],
    outcomes: FAILED,
  },
}

for (const [name, { lines, outcomes }] of Object.entries(forms)) {
  test(`words of failure are read: ${name}`, async () => {
    assert.deepEqual(await outcomesIn(...DAEMON, ...lines), outcomes)
  })
}

test('a delay may stand in the subject alone', async () => {
  const delay = ['From: postmaster@relay.test', 'Subject: Delivery Status Notification (Delay)', '']
  assert.deepEqual(await outcomesIn(...delay, 'Not delivered to the following recipients:', 'gone@far.test'), DELAYED)
})

for (const from of [
  'From: Mail Administrator <help@far.test>',
  'From: Internet Mail Delivery <a@far.test>',
  'X-From: none',
]) {
  test(`a mail system is known by its sender: ${from}`, async () => {
    assert.deepEqual(await outcomesIn(from, '', 'Unknown user: gone@far.test'), GONE)
  })
}

for (const subject of [
  'Undeliverable: hi',
  'Mail could not be delivered',
  'Message not delivered',
  'Message delivery has failed',
  'Message status - undeliverable',
  'Unzustellbar: hi',
  'Non remis : hi',
]) {
  test(`a mail system is known by its subject: ${subject}`, async () => {
    const lines = ['', 'Unknown user: gone@far.test']
    assert.deepEqual(await outcomesIn('From: a@far.test', `Subject: ${subject}`, ...lines), GONE)
    assert.equal(await outcomesIn('From: a@far.test', `Subject: Fwd: ${subject}`, ...lines), null)
  })
}

test('words are read in HTML where there is no text', async () => {
  const html = '<p>This is a permanent error: could not be delivered to<br>gone@far.test<br>No such user</p>'
  assert.deepEqual(await outcomesIn('Content-Type: text/html', ...DAEMON, html), GONE)
})

test('and where the text is empty', async () => {
  const parts = ['--b', 'Content-Type: text/plain', '', ' ', '--b', 'Content-Type: text/html', '']
  const header = ['Content-Type: multipart/alternative; boundary=b', ...DAEMON]
  assert.deepEqual(await outcomesIn(...header, ...parts, '<p>Unknown user: gone@far.test</p>', '--b--'), GONE)
})

test('whom an alias leads to is named together with the alias', async () => {
  const result = await readMail(mail(...DAEMON, '<gone@far.test> (expanded from <alias@far.test>): unknown user'))
  assert.ok(result.kind === 'delivery_report')
  assert.deepEqual(
    result.report.recipients.map(({ finalRecipient, originalRecipient }) => [finalRecipient, originalRecipient]),
    [['gone@far.test', 'alias@far.test']],
  )
})

const nobody: Record<string, string[]> = {
  'the returned message': [
    ...DAEMON,
    'Your message is returned.',
    '--- Below this line is a copy of the message.',
    'It could not be delivered to gone@far.test',
  ],
  'the returned header': [...DAEMON, 'Sorry.', 'Received: from a.test', '<gone@far.test>: unknown user'],
  'a signature': [...DAEMON, 'Your message was not delivered.', '', 'postmaster@relay.test'],
  'a signature behind the recipient': [
    ...DAEMON,
    'It could not be delivered to the recipient.',
    '',
    'postmaster@relay.test',
  ],
  'whoever helps': [...DAEMON, 'Your message was not delivered. Contact postmaster@relay.test'],
  'the To of what was sent': [...DAEMON, 'Your message', 'To: list@far.test', '', 'was not delivered.'],
  'the sender': [...DAEMON, 'Your message from me@send.test could not be delivered.'],
  'a sender that does not exist': [...DAEMON, '550 Sender address <me@send.test> does not exist'],
  'a sender that could not be verified': [...DAEMON, '550 Verification failed for <me@send.test>: user unknown'],
  "a sender's domain": [...DAEMON, '553 Domain of me@send.test does not exist'],
  'a challenge': [
    ...DAEMON,
    'Your message to gone@far.test has not been delivered. Please reply to this message to have it delivered.',
  ],
  'part of an address': [...DAEMON, 'It could not be delivered to the user@@far.test'],
  'a command line': [...DAEMON, 'It could not be delivered to |/usr/bin/vacation gone@far.test'],
  'somebody who writes of a bounce': [
    'From: A <a@far.test>',
    'Subject: Re: Undelivered mail',
    '',
    'It could not be delivered to gone@far.test',
  ],
  'what a filter asks for': [
    ...DAEMON,
    'Your message could not be delivered to gone@far.test yet. Please click the following link.',
  ],
  'an absence': [...DAEMON, 'I am out of the office. Mail could not be delivered to gone@far.test: user unknown'],
}

for (const [name, lines] of Object.entries(nobody)) {
  test(`no recipient is read from ${name}`, async () => {
    assert.equal(await outcomesIn(...lines), null)
  })
}
