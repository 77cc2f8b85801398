// Mail as it should not be, and what is to be seen of it. All written for these tests. It knows no parser's
// workings: only bytes, and the shape of what a reader gets.
import { FROM, latin1, mail, type OddMail, person } from './compose.ts'
import { ODD_CHARSETS } from './odd-charsets.ts'
import { ODD_PARTS } from './odd-parts.ts'

export type { OddMail } from './compose.ts'

const MIXED = 'Content-Type: multipart/mixed; boundary=b1'

function nested(levels: number): string {
  const lines: string[] = []
  for (let i = 0; i < levels; i++) lines.push(`Content-Type: multipart/mixed; boundary=n${i}`, '', `--n${i}`)
  return [...lines, 'Content-Type: text/plain', '', 'at the bottom'].join('\r\n')
}

function nestedMessages(levels: number): string {
  let message = ['Subject: innermost', '', 'inner text'].join('\r\n')
  for (let i = 0; i < levels; i++) {
    message = [
      `Subject: level ${i}`,
      `Content-Type: multipart/mixed; boundary=m${i}`,
      '',
      `--m${i}`,
      'Content-Type: message/rfc822',
      '',
      message,
      `--m${i}--`,
    ].join('\r\n')
  }
  return message
}

const SMALL: OddMail[] = [
  ...ODD_PARTS,
  {
    name: 'boundaries with trailing blanks',
    raw: mail(
      FROM,
      MIXED,
      '',
      'preamble',
      '--b1  ',
      '',
      'first',
      '--b1 \t',
      'Content-Type: text/csv',
      '',
      'a,b',
      '--b1--  ',
    ),
    expected: { readable: 'whole', text: 'first', attachments: [{ mediaType: 'text/csv', sizeBytes: 3 }] },
  },
  {
    name: 'a multipart that never ends',
    raw: mail(FROM, MIXED, '', '--b1', '', 'first', '--b1', 'Content-Disposition: attachment', '', 'cut off her'),
    expected: { text: 'first', attachments: [{ filename: 'part-1.2.txt', sizeBytes: 11 }] },
  },
  {
    name: 'the same boundary within itself',
    raw: mail(FROM, MIXED, '', '--b1', MIXED, '', '--b1', '', 'inner', '--b1--', '--b1', '', 'after', '--b1--'),
    expected: { readable: 'whole', text: 'inner\nafter' },
  },
  {
    name: 'a boundary that never appears',
    raw: mail(FROM, MIXED, '', '--other', 'Content-Type: text/plain', '', 'hidden words'),
    expected: { readable: 'whole', preview: '--other Content-Type: text/plain hidden words', attachments: [] },
  },
  {
    name: 'a multipart without boundary parameter',
    raw: mail(FROM, 'Content-Type: multipart/mixed', '', 'words all the same'),
    expected: { text: 'words all the same', mime: { contentType: 'multipart/mixed', parts: [] } },
  },
  {
    name: 'an outer boundary that ends inner parts',
    raw: mail(
      FROM,
      MIXED,
      '',
      '--b1',
      'Content-Type: multipart/alternative; boundary=b2',
      '',
      '--b2',
      '',
      'inner',
      '--b1',
      '',
      'outer',
      '--b1--',
    ),
    expected: { text: 'inner\nouter' },
  },
  {
    name: 'no header at all',
    raw: mail('', 'only a body'),
    expected: { headers: [], from: null, to: [], subject: '', messageId: null, date: null, text: 'only a body\n' },
  },
  {
    name: 'neither From nor Date nor Message-ID',
    raw: mail('Subject: bare', '', 'x'),
    expected: { from: null, date: null, messageId: null, subject: 'bare' },
  },
  { name: 'nothing', raw: Buffer.alloc(0), expected: { readable: 'whole', text: null, preview: '', attachments: [] } },
  {
    name: 'a header and no body',
    raw: mail(FROM, 'Subject: no body'),
    expected: { from: person('ada@example.test', 'Ada'), subject: 'no body', text: null, html: null },
  },
  {
    name: 'a header that ends within a line',
    raw: Buffer.from('From: ada@example.test\r\nSubj'),
    expected: { from: person('ada@example.test') },
  },
  {
    name: 'an attachment and nothing else',
    raw: mail(FROM, 'Content-Type: application/pdf; name="r.pdf"', 'Content-Transfer-Encoding: base64', '', 'JVBERg=='),
    expected: {
      text: null,
      preview: '',
      attachments: [{ partId: '1', filename: 'r.pdf', mediaType: 'application/pdf', sizeBytes: 4 }],
      mime: { partId: '1', encoding: 'base64', sizeBytes: 4, parts: [] },
    },
  },
  {
    name: 'a charset that is declared wrongly',
    raw: latin1(FROM, 'Content-Type: text/plain; charset=utf-8', '', 'caf\xe9'),
    expected: { text: 'caf\uFFFD\n' },
  },
  {
    name: 'a charset that nobody knows',
    raw: latin1(FROM, 'Content-Type: text/plain; charset=x-klingon', '', 'caf\xe9'),
    expected: { text: 'café\n' },
  },
  {
    name: 'Japanese in ISO-2022-JP',
    raw: Buffer.concat([
      mail(FROM, 'Content-Type: text/plain; charset=ISO-2022-JP', ''),
      Buffer.from('1b24422546253925481b2842', 'hex'),
    ]),
    expected: { text: 'テスト' },
  },
  {
    name: 'Cyrillic in KOI8-R, quoted-printable',
    raw: mail(
      FROM,
      'Content-Type: text/plain; charset=koi8-r',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '=F0=D2=C9=D7=C5=D4',
    ),
    expected: { text: 'Привет\n' },
  },
  {
    name: 'UTF-16 in base64',
    raw: mail(
      FROM,
      'Content-Type: text/plain; charset=utf-16le',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('schön', 'utf16le').toString('base64'),
    ),
    expected: { text: 'schön' },
  },
  {
    name: 'HTML in windows-1252',
    raw: latin1(
      FROM,
      'Content-Type: text/html; charset=windows-1252',
      '',
      '<style>p{}</style><p>\x93Hi\x94 &amp; bye</p>',
    ),
    expected: { text: null, html: '<style>p{}</style><p>“Hi” &amp; bye</p>\n', preview: '“Hi” & bye' },
  },
  {
    name: 'a header in raw UTF-8',
    raw: mail('From: Zoë <zoë@example.test>', 'Subject: grüße', '', 'x'),
    expected: { from: person('zoë@example.test', 'Zoë'), subject: 'grüße' },
  },
  {
    name: 'a header in raw 8-bit of some other charset',
    raw: latin1('From: Zo\xeb <z@example.test>', 'Subject: gr\xfc\xdfe', '', 'x'),
    expected: { from: person('z@example.test', 'Zoë'), subject: 'grüße', text: 'x\n' },
  },
  {
    name: 'an encoded word broken within a character',
    raw: mail('Subject: =?utf-8?B?w6nD?=', ' =?utf-8?B?qQ==?=', '', 'x'),
    expected: { subject: 'éé' },
  },
  {
    name: 'an encoded word that is none',
    raw: mail('Subject: =?utf-8?X?abc?= =?utf-8?B?', '', 'x'),
    expected: { subject: '=?utf-8?X?abc?= =?utf-8?B?' },
  },
  {
    name: 'NUL and half a surrogate pair',
    raw: mail(
      FROM,
      'Subject: =?utf-8?Q?a=00b?=',
      'Content-Type: text/plain; charset=utf-16le',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from([0x61, 0, 0, 0, 0x3d, 0xd8]).toString('base64'),
    ),
    expected: { subject: 'a\uFFFDb', text: 'a\uFFFD\uFFFD' },
  },
  {
    name: 'a filename in RFC 2231 pieces',
    raw: mail(
      FROM,
      'Content-Type: application/octet-stream',
      'Content-Disposition: attachment;',
      " filename*0*=utf-8''gr%C3%BC;",
      ' filename*1*=%C3%9Fe%20;',
      ' filename*2="from.txt"',
      '',
      'x',
    ),
    expected: { attachments: [{ filename: 'grüße from.txt' }] },
  },
  {
    name: 'a filename in encoded words',
    raw: mail(FROM, 'Content-Disposition: attachment; filename="=?utf-8?Q?r=C3=A9sum=C3=A9=2Epdf?="', '', 'x'),
    expected: { attachments: [{ filename: 'résumé.pdf' }] },
  },
  {
    name: 'a filename with a line break and a path',
    raw: mail(FROM, 'Content-Disposition: attachment; filename="=?utf-8?Q?=2E=2E=2Fa=0D=0AX:=00b?="', '', 'x'),
    expected: { attachments: [{ filename: '../a X: b' }] },
  },
  {
    name: 'doubled headers',
    raw: mail(
      'Subject: one',
      'Subject: two',
      'To: a@example.test',
      'To: b@example.test',
      FROM,
      'From: Eve <eve@evil.test>',
      '',
      'x',
    ),
    expected: {
      subject: 'one',
      to: [person('a@example.test'), person('b@example.test')],
      from: person('ada@example.test', 'Ada'),
    },
  },
  {
    name: 'address groups',
    raw: mail('To: team: Ann <ann@example.test>, bob@example.test;', 'Cc: undisclosed-recipients:;', '', 'x'),
    expected: { to: [person('ann@example.test', 'Ann'), person('bob@example.test')], cc: [] },
  },
  {
    name: 'addresses that are none',
    raw: mail('From: nobody in particular', 'To: <>, , "quoted, comma" <q@example.test>, a b@example.test', '', 'x'),
    expected: {
      from: person('', 'nobody in particular'),
      to: [person('q@example.test', 'quoted, comma'), person('b@example.test', 'a')],
    },
  },
  {
    name: 'threading fields of many shapes',
    raw: mail(
      'Message-ID: (c) <one@example.test>',
      'In-Reply-To: Your message of Monday <two@example.test>',
      'References: <three@example.test>\t<four@example.test>',
      ' <five@example.test>',
      '',
      'x',
    ),
    expected: {
      messageId: '<one@example.test>',
      inReplyTo: '<two@example.test>',
      references: ['<three@example.test>', '<four@example.test>', '<five@example.test>'],
    },
  },
  {
    name: 'dates with comments and nonsense',
    raw: mail('Date: Tue, 02 Jun 2026 10:00:00 +0200 (CEST)', '', 'x'),
    expected: { date: '2026-06-02T08:00:00.000Z' },
  },
  { name: 'a date that is none', raw: mail('Date: yesterday', '', 'x'), expected: { date: null } },
  {
    name: 'bare line feeds',
    raw: Buffer.from(`${FROM}\n${MIXED}\n\n--b1\n\nfirst\n--b1\nContent-Type: text/csv\n\na,b\nc,d\n--b1--\n`),
    expected: { text: 'first', attachments: [{ sizeBytes: 7 }] },
  },
  {
    name: 'bare carriage returns',
    raw: Buffer.from('Subject: one\rBcc: hidden@example.test\r\n\r\na\rb\r\n'),
    expected: {
      subject: 'one Bcc: hidden@example.test',
      headers: [{ name: 'Subject', value: 'one Bcc: hidden@example.test' }],
      text: 'a\rb\n',
    },
  },
  {
    name: 'a calendar invitation',
    raw: mail(
      FROM,
      'Content-Type: multipart/alternative; boundary=b1',
      '',
      '--b1',
      '',
      'Meet?',
      '--b1',
      'Content-Type: text/calendar; method=REQUEST; charset=utf-8',
      '',
      'BEGIN:VCALENDAR',
      'END:VCALENDAR',
      '--b1--',
    ),
    expected: { text: 'Meet?', attachments: [{ filename: 'part-1.2.ics', mediaType: 'text/calendar', sizeBytes: 30 }] },
  },
  {
    name: 'a signed message',
    raw: mail(
      FROM,
      'Content-Type: multipart/signed; protocol="application/pgp-signature"; micalg=pgp-sha256; boundary=b1',
      '',
      '--b1',
      'Content-Type: text/plain',
      '',
      'I, Ada',
      '--b1',
      'Content-Type: application/pgp-signature; name=signature.asc',
      '',
      '-----BEGIN PGP SIGNATURE-----',
      '--b1--',
    ),
    expected: {
      text: 'I, Ada',
      attachments: [{ filename: 'signature.asc' }],
      mime: { contentType: 'multipart/signed' },
    },
  },
  {
    name: 'an enveloped S/MIME message',
    raw: mail(
      FROM,
      'Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m',
      'Content-Transfer-Encoding: base64',
      'Content-Disposition: attachment; filename=smime.p7m',
      '',
      'MIAGCSqGSIb3DQEHA6CAMIA=',
    ),
    expected: {
      text: null,
      attachments: [{ filename: 'smime.p7m', mediaType: 'application/pkcs7-mime', sizeBytes: 17 }],
    },
  },
  {
    name: 'TNEF',
    raw: mail(
      FROM,
      MIXED,
      '',
      '--b1',
      '',
      'see winmail',
      '--b1',
      'Content-Type: application/ms-tnef; name=winmail.dat',
      'Content-Transfer-Encoding: base64',
      '',
      'eJ8+IgA=',
      '--b1--',
    ),
    expected: {
      text: 'see winmail',
      attachments: [{ filename: 'winmail.dat', mediaType: 'application/ms-tnef', sizeBytes: 5 }],
    },
  },
  {
    name: 'pictures within HTML',
    raw: mail(
      FROM,
      'Content-Type: multipart/related; boundary=b1',
      '',
      '--b1',
      'Content-Type: text/html',
      '',
      '<img src="cid:pic">',
      '--b1',
      'Content-Type: image/png',
      'Content-ID: <pic>',
      'Content-Disposition: inline',
      'Content-Transfer-Encoding: base64',
      '',
      'iVBORw==',
      '--b1--',
    ),
    expected: { attachments: [{ contentId: 'pic', disposition: 'inline', filename: 'part-1.2.png', sizeBytes: 4 }] },
  },
  {
    name: 'a message within a message, with an attachment of its own',
    raw: mail(
      FROM,
      MIXED,
      '',
      '--b1',
      '',
      'see below',
      '--b1',
      'Content-Type: message/rfc822',
      '',
      nestedMessages(3),
      '--b1--',
    ),
    expected: {
      text: 'see below',
      attachments: [{ filename: 'part-1.2.eml', mediaType: 'message/rfc822', sizeBytes: nestedMessages(3).length }],
    },
  },
  {
    name: 'base64 that is junk',
    raw: mail(
      FROM,
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: base64',
      '',
      '!!!!YQ==',
      '%%YmM',
      '=',
      '\u00ff',
    ),
    expected: { attachments: [{ sizeBytes: 1 }] },
  },
  {
    name: 'quoted-printable that is junk',
    raw: mail(
      FROM,
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'a=ZZ=\t',
      'b=3D=',
    ),
    expected: { attachments: [{ sizeBytes: 6 }] },
  },
  {
    name: 'uuencode that holds nothing',
    raw: mail(FROM, 'Content-Disposition: attachment', 'Content-Transfer-Encoding: x-uuencode', '', 'begin 644 a'),
    expected: { attachments: [{ sizeBytes: 13 }], mime: { encoding: 'x-uuencode' } },
  },
  {
    name: 'a type that is none',
    raw: mail(FROM, 'Content-Type: ;;; what', 'Content-Disposition: ; filename', '', 'x'),
    expected: { readable: 'whole', text: 'x\n', mime: { contentType: 'text/plain' }, attachments: [] },
  },
  {
    name: 'parameters that are called like methods',
    raw: mail(FROM, 'Content-Type: text/plain; __proto__=x; constructor=y; toString=z', '', 'x'),
    expected: { readable: 'whole', text: 'x\n', mime: { contentType: 'text/plain' } },
  },
  {
    name: 'an mbox line before the header',
    raw: mail('From ada@example.test Tue Jun  2 10:00:00 2026', 'Subject: kept', '', 'x'),
    expected: { subject: 'kept', headers: [{ name: 'Subject', value: 'kept' }] },
  },
]

const LARGE: OddMail[] = [
  {
    name: 'a line of three million characters',
    raw: mail(FROM, '', 'ä'.repeat(3_000_000)),
    expected: { readable: 'whole', textTruncated: true, text: 'ä'.repeat(524_288), preview: 'ä'.repeat(200) },
  },
  {
    name: 'two hundred thousand empty lines',
    raw: mail(FROM, '', '\r\n'.repeat(200_000), 'the end'),
    expected: { readable: 'whole', text: `${'\n'.repeat(200_001)}the end\n`, preview: '' },
  },
  {
    name: 'multiparts ten thousand deep',
    raw: mail(FROM, 'Subject: deep', nested(10_000)),
    expected: {
      readable: 'headers-only',
      fault: 'refused',
      subject: 'deep',
      from: person('ada@example.test', 'Ada'),
      mime: null,
    },
  },
  {
    name: 'multiparts fifty deep',
    raw: mail(FROM, 'Subject: deep', nested(50)),
    expected: { readable: 'whole', text: 'at the bottom' },
  },
  {
    name: 'messages a thousand deep',
    raw: mail(nestedMessages(1_000)),
    expected: { readable: 'whole', subject: 'level 999', attachments: [{ mediaType: 'message/rfc822' }] },
  },
  {
    name: 'fifty thousand parts',
    raw: mail(FROM, 'Subject: many', MIXED, '', '--b1\r\n\r\nx\r\n'.repeat(50_000)),
    expected: { readable: 'partly', subject: 'many' },
  },
  {
    name: 'a header of five megabytes',
    raw: mail(FROM, 'Subject: huge', `X-Huge: ${'a'.repeat(5_000_000)}`, '', 'unseen'),
    expected: { readable: 'headers-only', fault: 'refused', subject: 'huge', from: person('ada@example.test', 'Ada') },
  },
  {
    name: 'ten thousand recipients',
    raw: mail(
      FROM,
      `To: ${Array.from({ length: 10_000 }, (_, i) => `User ${i} <u${i}@example.test>`).join(',\r\n ')}`,
      '',
      'hello all',
    ),
    expected: { readable: 'whole', text: 'hello all\n' },
  },
  {
    name: 'two megabytes of base64 that is one letter',
    raw: mail(FROM, 'Content-Disposition: attachment', 'Content-Transfer-Encoding: base64', '', 'A'.repeat(2_000_000)),
    expected: { readable: 'whole', attachments: [{ sizeBytes: 1_500_000 }] },
  },
  {
    name: 'HTML that never closes a tag',
    raw: mail(FROM, 'Content-Type: text/html', '', '<style <!-- <a '.repeat(100_000)),
    expected: { readable: 'whole', preview: '', htmlTruncated: true },
  },
]

/** Whatever differs in more than its charsets, the quick ones first. */
export const ODD_SHAPES: OddMail[] = [...SMALL, ...LARGE]

/** Those small enough to mutate by the thousand. */
export const SMALL_ODD_MAIL: OddMail[] = [...SMALL, ...ODD_CHARSETS]

/** Everything, the quick ones first. */
export const ODD_MAIL: OddMail[] = [...SMALL_ODD_MAIL, ...LARGE]
