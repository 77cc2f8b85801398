import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { mail, readMail as read } from '../../../test/support/returned-mail.ts'
import type { DeliveryReport, RecipientReport } from './delivery-report.ts'
import { outcomeOf } from './report-outcome.ts'
import type { ReturnedMail } from './returned-mail.ts'

const CORPUS = new URL('../../../test/corpus/delivery-reports/', import.meta.url)

async function readReport(raw: Uint8Array): Promise<DeliveryReport> {
  const mail = await read(raw)
  return mail.kind === 'delivery_report' ? mail.report : assert.fail(`read as ${mail.kind}`)
}

function dsn(type: string, ...fields: string[]): Buffer {
  return mail(
    'From: MAILER-DAEMON@relay.test',
    'Auto-Submitted: auto-replied',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    '',
    'Something happened.',
    '--b',
    `Content-Type: ${type}`,
    '',
    ...fields,
    '--b--',
  )
}

interface Dialect {
  name: string
  raw: () => Buffer | Promise<Buffer>
  envelopeId: string | null
  recipients: (Partial<RecipientReport> & { outcome: ReturnType<typeof outcomeOf> })[]
}

const DIALECTS: Dialect[] = [
  {
    name: 'Postfix: refused at once, three recipients',
    raw: () => readFile(new URL('postfix-failed.eml', CORPUS)),
    envelopeId: '0190-ABC-def',
    recipients: [
      {
        finalRecipient: 'x@nowhere.test',
        originalRecipient: 'x@nowhere.test',
        status: '5.1.2',
        smtpCode: null,
        diagnosticCode: 'no such domain in this test world',
        outcome: 'bounced',
      },
      { finalRecipient: 'nobody@local.test', enhancedCode: '5.1.1', outcome: 'bounced' },
      {
        finalRecipient: 'never@sink.test',
        smtpCode: 550,
        enhancedCode: '5.1.1',
        remoteMta: '127.0.0.1',
        diagnosticCode: '550 5.1.1 no such user here',
        outcome: 'bounced',
      },
    ],
  },
  {
    name: 'Postfix: delivered and relayed',
    raw: () => readFile(new URL('postfix-delivered-and-relayed.eml', CORPUS)),
    envelopeId: '0190-ABC-def',
    recipients: [
      { finalRecipient: 'alice@local.test', action: 'delivered', status: '2.0.0', outcome: 'delivered' },
      { finalRecipient: 'ok@sink.test', action: 'relayed', smtpCode: 250, outcome: 'delivered' },
    ],
  },
  {
    name: 'Postfix: delayed, still trying',
    raw: () => readFile(new URL('postfix-delayed.eml', CORPUS)),
    envelopeId: '0190-ABC-def',
    recipients: [
      {
        action: 'delayed',
        status: '4.4.1',
        diagnosticCode: 'connect to 127.0.0.1[127.0.0.1]:34224: Connection refused',
        willRetryUntil: '2026-11-21T02:19:57.000Z',
        outcome: null,
      },
      { action: 'delayed', smtpCode: 452, enhancedCode: '4.2.2', outcome: null },
    ],
  },
  {
    name: 'Postfix: given up after delays',
    raw: () => readFile(new URL('postfix-expired.eml', CORPUS)),
    envelopeId: '0190-ABC-def',
    recipients: [
      { action: 'failed', status: '4.4.1', willRetryUntil: null, outcome: 'failed' },
      { action: 'failed', smtpCode: 452, enhancedCode: '4.2.2', outcome: 'failed' },
    ],
  },
  {
    name: 'Postfix: message/global-delivery-status',
    raw: () => readFile(new URL('postfix-global-failed.eml', CORPUS)),
    envelopeId: '0190-ABC-def',
    recipients: [
      {
        finalRecipient: 'zoë@nowhere.test',
        originalRecipient: 'zoë@nowhere.test',
        status: '5.1.2',
        outcome: 'bounced',
      },
    ],
  },
  {
    name: 'Exim: another order and case, a status that says nothing',
    raw: () =>
      dsn(
        'message/delivery-status',
        'Reporting-MTA: dns; exim.test',
        'Original-Envelope-ID: 0190-abc',
        '',
        'Action: failed',
        'Final-Recipient: rfc822;user@far.test',
        'Status: 5.0.0',
        'Remote-MTA: dns; mx.far.test',
        'Diagnostic-Code: smtp; 550 5.7.1 Relaying denied',
        '',
        'Action: delayed (retrying)',
        'Final-Recipient: rfc822;slow@far.test',
        'Status: 4.0.0',
      ),
    envelopeId: '0190-abc',
    recipients: [
      {
        finalRecipient: 'user@far.test',
        status: '5.0.0',
        enhancedCode: '5.7.1',
        smtpCode: 550,
        remoteMta: 'mx.far.test',
        outcome: 'bounced',
      },
      { finalRecipient: 'slow@far.test', diagnosticCode: null, enhancedCode: '4.0.0', outcome: null },
    ],
  },
  {
    name: 'Exchange: no space after types, words behind the codes',
    raw: () =>
      dsn(
        'message/delivery-status',
        'Reporting-MTA: dns;EX01.corp.test',
        'Received-From-MTA: dns;relay.test',
        'Arrival-Date: Tue, 2 Jun 2026 10:00:00 +0000',
        '',
        'Final-Recipient: rfc822;gone@corp.test',
        'Action: failed',
        'Status: 5.1.10',
        'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found',
        'X-Display-Name: Gone',
        '',
        'Final-Recipient: rfc822;late@corp.test',
        'Action: failed',
        'Status: 4.4.7',
        'Diagnostic-Code: smtp;400 4.4.7 Message delayed',
      ),
    envelopeId: null,
    recipients: [
      { finalRecipient: 'gone@corp.test', smtpCode: 550, enhancedCode: '5.1.10', outcome: 'bounced' },
      { finalRecipient: 'late@corp.test', smtpCode: 400, enhancedCode: '4.4.7', outcome: 'failed' },
    ],
  },
  {
    name: 'Gmail: a reply of several lines, words within Remote-MTA',
    raw: () =>
      dsn(
        'message/delivery-status',
        'Reporting-MTA: dns; gateway.test',
        '',
        'Final-Recipient: rfc822; gone@big.test',
        'Action: failed',
        'Status: 5.1.1',
        'Remote-MTA: dns; mx.big.test. (192.0.2.7, the server for the domain big.test.)',
        'Diagnostic-Code: smtp; 550-5.1.1 The account does not exist. Please check',
        ' 550-5.1.1 the spelling.',
        ' 550 5.1.1 see help - gsmtp',
        'Last-Attempt-Date: Tue, 02 Jun 2026 03:00:00 -0700 (PDT)',
      ),
    envelopeId: null,
    recipients: [
      {
        smtpCode: 550,
        enhancedCode: '5.1.1',
        remoteMta: 'mx.big.test. (192.0.2.7, the server for the domain big.test.)',
        diagnosticCode:
          '550-5.1.1 The account does not exist. Please check 550-5.1.1 the spelling. 550 5.1.1 see help - gsmtp',
        outcome: 'bounced',
      },
    ],
  },
  {
    name: 'Sendmail: types in capitals, aliased recipient',
    raw: () =>
      dsn(
        'message/delivery-status',
        'Reporting-MTA: dns; sendmail.test',
        'Original-Envelope-Id: 0190-ABC',
        '',
        'Original-Recipient: rfc822;info@far.test',
        'Final-Recipient: RFC822; bob@elsewhere.test',
        'X-Actual-Recipient: RFC822; bob@elsewhere.test',
        'Action: failed',
        'Status: 5.2.2',
        'Remote-MTA: DNS; mx.elsewhere.test',
        'Diagnostic-Code: SMTP; 552 5.2.2 <bob@elsewhere.test>... Mailbox full',
      ),
    envelopeId: '0190-ABC',
    recipients: [
      {
        originalRecipient: 'info@far.test',
        finalRecipient: 'bob@elsewhere.test',
        smtpCode: 552,
        enhancedCode: '5.2.2',
        outcome: 'bounced',
      },
    ],
  },
  {
    name: 'a list that expanded the message',
    raw: () =>
      dsn(
        'message/delivery-status',
        'Reporting-MTA: dns; l.test',
        '',
        'Final-Recipient: rfc822; list@l.test',
        'Action: expanded',
        'Status: 2.0.0',
      ),
    envelopeId: null,
    recipients: [{ action: 'expanded', outcome: 'delivered' }],
  },
  {
    name: 'no empty line anywhere',
    raw: () =>
      dsn(
        'message/delivery-status',
        'Reporting-MTA: dns; x.test',
        'ORIGINAL-ENVELOPE-ID: 1',
        'Final-Recipient: rfc822; a@x.test',
        'Action: failed',
        'Status: 5.1.1',
        'Final-Recipient: rfc822; b@x.test',
        'Action: delivered',
        'Status: 2.1.5',
      ),
    envelopeId: '1',
    recipients: [
      { finalRecipient: 'a@x.test', status: '5.1.1', outcome: 'bounced' },
      { finalRecipient: 'b@x.test', status: '2.1.5', outcome: 'delivered' },
    ],
  },
  {
    name: 'addresses without type, in angle brackets, and with RFC 6533 escapes',
    raw: () =>
      dsn(
        'message/global-delivery-status',
        'Reporting-MTA: x.test',
        '',
        'Original-Recipient: utf-8;zo\\x{EB}@x.test',
        'Final-Recipient: <a@x.test>',
        'Action: Failed',
        'Status: 5.1.1 (no such user)',
      ),
    envelopeId: null,
    recipients: [{ originalRecipient: 'zoë@x.test', finalRecipient: 'a@x.test', status: '5.1.1', outcome: 'bounced' }],
  },
  {
    name: 'a status part in base64',
    raw: () =>
      dsn(
        'message/delivery-status\r\nContent-Transfer-Encoding: base64',
        Buffer.from(
          'Reporting-MTA: dns; x.test\n\nFinal-Recipient: rfc822; a@x.test\nAction: failed\nStatus: 5.1.1\n',
        ).toString('base64'),
      ),
    envelopeId: null,
    recipients: [{ finalRecipient: 'a@x.test', outcome: 'bounced' }],
  },
  {
    name: 'a status of success beside a failure that the remote host explains',
    raw: () =>
      dsn(
        'message/delivery-status',
        'Reporting-MTA: dns; x.test',
        '',
        'Final-Recipient: rfc822; a@x.test',
        'Action: failed',
        'Status: 2.0.0',
        'Diagnostic-Code: smtp; 451 try later',
      ),
    envelopeId: null,
    recipients: [{ smtpCode: 451, status: '2.0.0', outcome: 'failed' }],
  },
  {
    name: 'a relay that writes 5.1.1 whatever the remote host said, without types and in words of Postfix and IronPort',
    raw: () =>
      dsn(
        'message/delivery-status',
        'Reporting-MTA: dns; relay.test',
        ...[
          '550 5.7.1 Blocked, see https://far.test/blacklist',
          'X-Postfix; host mx.far.test[192.0.2.1] said: 552 5.2.2 full (in reply to RCPT TO command)',
          "smtp; 5.1.0 - Unknown address error 550-'5.7.1 refused' (delivery attempts: 0)",
          'smtp; 550 mailbox is full',
        ].flatMap((diagnostic, i) => [
          '',
          `Final-Recipient: rfc822; <@relay.test:r${i}@far.test> (as given)`,
          'Action: failed',
          'Status: 5.1.1',
          `Diagnostic-Code: ${diagnostic}`,
        ]),
        '',
        'Final-Recipient: rfc822; |/usr/bin/vacation r9@far.test',
        'Action: failed',
        'Status: 5.1.1',
      ),
    envelopeId: null,
    recipients: [
      { finalRecipient: 'r0@far.test', smtpCode: 550, enhancedCode: '5.7.1', outcome: 'bounced' },
      { finalRecipient: 'r1@far.test', smtpCode: 552, enhancedCode: '5.2.2', outcome: 'bounced' },
      { finalRecipient: 'r2@far.test', smtpCode: 550, enhancedCode: '5.7.1', outcome: 'bounced' },
      { finalRecipient: 'r3@far.test', smtpCode: 550, enhancedCode: '5.2.2', outcome: 'bounced' },
    ],
  },
  {
    name: 'IronPort: a permanent status of a message that was too long in the queue',
    raw: () =>
      dsn(
        'message/delivery-status',
        'Reporting-MTA: dns; ironport.test',
        '',
        'Final-Recipient: rfc822;slow@far.test',
        'Action: failed',
        'Status: 5.0.0 (permanent failure)',
        "Diagnostic-Code: smtp; 5.4.7 - Delivery expired (message too old) 'timeout' (delivery attempts: 0)",
      ),
    envelopeId: null,
    recipients: [{ finalRecipient: 'slow@far.test', smtpCode: null, enhancedCode: '5.4.7', outcome: 'failed' }],
  },
  {
    name: 'qmail: two recipients, the second after a remote reply',
    raw: () =>
      mail(
        'From: MAILER-DAEMON@qmail.test',
        'Subject: failure notice',
        '',
        'Hi. This is the qmail-send program at qmail.test.',
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        "This is a permanent error; I've given up. Sorry it didn't work out.",
        '',
        '<gone@qmail.test>:',
        'Sorry, no mailbox here by that name. (#5.1.1)',
        '',
        '<far@far.test>:',
        '192.0.2.1 does not like recipient.',
        'Remote host said: 554 5.7.1 Refused',
        'Giving up on 192.0.2.1.',
        '',
        '--- Below this line is a copy of the message.',
        '',
        '<not@one.test>:',
        'part of the copy',
      ),
    envelopeId: null,
    recipients: [
      { finalRecipient: 'gone@qmail.test', action: 'failed', status: '5.1.1', smtpCode: null, outcome: 'bounced' },
      { finalRecipient: 'far@far.test', smtpCode: 554, enhancedCode: '5.7.1', outcome: 'bounced' },
    ],
  },
  {
    name: 'qmail: too long in the queue',
    raw: () =>
      mail(
        '',
        'Hi. This is the qmail-send program at qmail.test.',
        "I'm afraid I wasn't able to deliver your message to the following addresses.",
        '',
        '<slow@far.test>:',
        'CNAME lookup failed temporarily. (#4.4.3)',
        "I'm not going to try again; this message has been in the queue too long.",
        '',
        '--- Below this line is a copy of the message.',
      ),
    envelopeId: null,
    recipients: [{ finalRecipient: 'slow@far.test', status: '4.4.3', outcome: 'failed' }],
  },
  {
    name: 'Exim before it wrote notifications',
    raw: () =>
      mail(
        'X-Failed-Recipients: a@far.test,',
        ' b@far.test',
        'Auto-Submitted: auto-replied',
        'From: Mail Delivery System <Mailer-Daemon@exim.test>',
        '',
        'This message was created automatically by mail delivery software.',
        '',
        'A message that you sent could not be delivered to one or more of its',
        'recipients. This is a permanent error. The following address(es) failed:',
        '',
        '  a@far.test',
        '    SMTP error from remote mail server after RCPT TO:<a@far.test>:',
        '    host mx.far.test [192.0.2.9]: 550 5.1.1 User unknown',
        '  b@far.test',
        '    retry timeout exceeded',
        '',
        '------ This is a copy of the message, including all the headers. ------',
      ),
    envelopeId: null,
    recipients: [
      { finalRecipient: 'a@far.test', smtpCode: 550, enhancedCode: '5.1.1', outcome: 'bounced' },
      {
        finalRecipient: 'b@far.test',
        diagnosticCode: 'retry timeout exceeded',
        enhancedCode: '4.4.7',
        outcome: 'failed',
      },
    ],
  },
  {
    name: 'XWall: a media type of its own',
    raw: () =>
      dsn(
        'message/xdelivery-status',
        'Reporting-MTA: dns; x',
        '',
        'Final-Recipient: rfc822; a@far.test',
        'Action: failed',
        'Status: 5.9.8',
      ),
    envelopeId: null,
    recipients: [{ finalRecipient: 'a@far.test', action: 'failed', enhancedCode: '5.9.8', outcome: 'bounced' }],
  },
  {
    name: 'an action in other words',
    raw: () => dsn('message/delivery-status', 'Final-Recipient: rfc822; a@far.test', 'Action: failure'),
    envelopeId: null,
    recipients: [{ finalRecipient: 'a@far.test', action: 'failed', enhancedCode: null, outcome: 'bounced' }],
  },
  {
    name: 'Exchange 5.5',
    raw: () =>
      mail(
        'From: System Administrator <postmaster@old.test>',
        'Subject: Undeliverable: hi',
        '',
        'Your message',
        '',
        '  To:      gone@old.test',
        '  Subject: hi',
        '',
        'did not reach the following recipient(s):',
        '',
        'gone@old.test on Tue, 2 Jun 2026 10:00:00 +0200',
        '    The recipient name is not recognized',
        '\tThe MTS-ID of the original message is: c=de;a= ;p=old;l=OLD0606020800',
        '    MSEXCH:IMS:Old:OLD:EX 0 (000C05A6) Unknown Recipient',
        '',
      ),
    envelopeId: null,
    recipients: [{ finalRecipient: 'gone@old.test', action: 'failed', enhancedCode: null, outcome: 'bounced' }],
  },
]

describe('a report is read in every dialect', () => {
  for (const { name, raw, envelopeId, recipients } of DIALECTS) {
    test(name, async () => {
      const report = await readReport(await raw())
      assert.equal(report.envelopeId, envelopeId)
      assert.equal(report.recipients.length, recipients.length)
      for (const [i, { outcome, ...expected }] of recipients.entries()) {
        const actual = report.recipients[i] ?? assert.fail()
        assert.partialDeepStrictEqual(actual, expected)
        assert.equal(outcomeOf(actual), outcome)
      }
    })
  }
})

const OTHERS: { name: string; kind: ReturnedMail['kind']; raw: Buffer }[] = [
  {
    name: 'a complaint',
    kind: 'feedback',
    raw: mail(
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
      '',
      '--b',
      '',
      'This is an abuse report.',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      'Version: 1',
      '--b--',
    ),
  },
  { name: 'an RFC 3834 reply', kind: 'auto_reply', raw: mail('Auto-Submitted: auto-replied (vacation)', '', 'Away.') },
  { name: 'an automatic notice', kind: 'auto_reply', raw: mail('Auto-Submitted: Auto-Generated; x=y', '', 'Away.') },
  { name: 'an old vacation program', kind: 'auto_reply', raw: mail('Precedence: junk', '', 'Away.') },
  { name: 'an autoresponder', kind: 'auto_reply', raw: mail('X-Autoreply: yes', '', 'Away.') },
  { name: 'an out of office notice', kind: 'auto_reply', raw: mail('Subject: Automatic reply: hi', '', 'Away.') },
  {
    name: 'a read receipt',
    kind: 'auto_reply',
    raw: mail(
      'Content-Type: multipart/report; report-type=disposition-notification; boundary=b',
      '',
      '--b',
      'Content-Type: message/disposition-notification',
      '',
      'Disposition: manual-action/MDN-sent-manually; displayed',
      '--b--',
    ),
  },
  { name: 'a human reply that quotes a bounce', kind: 'unknown', raw: mail('', 'They said 550 5.1.1 user unknown.') },
  { name: 'a message that says no to being automatic', kind: 'unknown', raw: mail('Auto-Submitted: no', '', 'Hello.') },
  {
    name: 'the prose of a mail system, marked as automatic',
    kind: 'unknown',
    raw: mail(
      'From: MAILER-DAEMON@odd.test',
      'Auto-Submitted: auto-generated',
      '',
      'There was trouble with a@b.test: 550.',
    ),
  },
  {
    name: 'the prose of a mail system that has no address, marked as automatic',
    kind: 'unknown',
    raw: mail('From: mailer-daemon', 'Auto-Submitted: auto-replied', 'Precedence: list', '', 'We had trouble.'),
  },
  {
    name: 'that of one with an empty address',
    kind: 'unknown',
    raw: mail('From: MAILER-DAEMON <>', 'Auto-Submitted: auto-replied', '', 'We had trouble.'),
  },
  {
    name: 'that of one with an address in angle brackets and a name',
    kind: 'unknown',
    raw: mail('From: Mail <MAILER-DAEMON>', 'Auto-Submitted: auto-replied', '', 'We had trouble.'),
  },
  {
    name: 'a reply of somebody who is called like a mail system',
    kind: 'auto_reply',
    raw: mail('From: Postmaster <one@far.test>', 'Auto-Submitted: auto-replied', '', 'Away.'),
  },
  {
    name: 'a report with an action that nobody knows',
    kind: 'unknown',
    raw: dsn(
      'message/delivery-status',
      'Reporting-MTA: dns; x',
      '',
      'Final-Recipient: rfc822; a@x.test',
      'Action: lost',
    ),
  },
  {
    name: 'a report that names nobody',
    kind: 'unknown',
    raw: dsn('message/delivery-status', 'Reporting-MTA: dns; x', '', 'Action: failed', 'Status: 5.1.1'),
  },
  { name: 'an empty message', kind: 'unknown', raw: Buffer.alloc(0) },
]

describe('what is no report is not read as one', () => {
  for (const { name, kind, raw } of OTHERS) {
    test(`${name} is ${kind}`, async () => assert.equal((await read(raw)).kind, kind))
  }
})

test('a report of a recipient whose message lies quoted within is not a report', async () => {
  const quoted = dsn('message/delivery-status', 'A: b', '', 'Final-Recipient: rfc822; a@x.test', 'Action: failed')
  const raw = Buffer.concat([mail('Content-Type: message/rfc822', ''), quoted])
  assert.equal((await read(raw)).kind, 'unknown')
})

test('no bytes whatever make reading fail, and what is read names an address', async () => {
  const reports = await Promise.all(DIALECTS.map(({ raw }) => raw()))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...reports),
      fc.nat(3_000),
      fc.nat(60),
      fc.oneof(
        fc.string({ maxLength: 20 }),
        fc.constantFrom('\r\n\r\n', ': ', ';', '<', '\\x{110000}', '\0', '😀'.repeat(3000), '\\x{D800}@'),
      ),
      async (raw, at, remove, insert) => {
        const bytes = Buffer.concat([raw.subarray(0, at), Buffer.from(insert), raw.subarray(at + remove)])
        const result = await read(bytes)
        if (result.kind !== 'delivery_report') return
        assert.ok(result.report.recipients.length > 0)
        for (const recipient of result.report.recipients) {
          assert.match(`${recipient.finalRecipient}${recipient.originalRecipient}`, /@/)
          assert.doesNotMatch(JSON.stringify(recipient), /\\u0000|\\ud[89a-f]/i)
        }
      },
    ),
    { numRuns: 500 },
  )
})
