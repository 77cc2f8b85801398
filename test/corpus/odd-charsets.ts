// Mail whose charsets are missing, unknown, rare or wrong, in bodies, header fields and file names.
import { FROM, hex, latin1, mail, type OddMail, person, withBody } from './compose.ts'

/** The same two bodies under a label that says nothing: valid UTF-8 is that, everything else windows-1252. */
function saysNothing(label: string | null): OddMail[] {
  const type = label === null ? [] : [`Content-Type: text/plain; charset="${label}"`]
  return [
    {
      name: `UTF-8 labelled ${label}`,
      raw: mail(FROM, ...type, '', 'Zoë – 日本 €'),
      expected: { text: 'Zoë – 日本 €\n', preview: 'Zoë – 日本 €' },
    },
    {
      name: `windows-1252 labelled ${label}`,
      raw: latin1(FROM, ...type, '', 'Zo\xeb \x96 \x80'),
      expected: { text: 'Zoë – €\n', preview: 'Zoë – €' },
    },
  ]
}

/** One word in a charset, as a body of text and as the name of a file. */
function inCharset(label: string, bytes: Buffer, text: string): OddMail[] {
  const escaped = bytes.toString('hex').replace(/../g, '%$&')
  const word = `=?${label}?B?${bytes.toString('base64')}?=`
  return [
    {
      name: `text in ${label}`,
      raw: withBody([FROM, `Content-Type: text/plain; charset=${label}`], bytes),
      expected: { text, preview: text },
    },
    {
      name: `header and file name in ${label}`,
      raw: mail(
        `From: ${word} <a@example.test>`,
        `Subject: ${word}`,
        `Content-Disposition: attachment; filename*=${label}''${escaped}`,
        '',
        'x',
      ),
      expected: { subject: text, from: person('a@example.test', text), attachments: [{ filename: text }] },
    },
  ]
}

export const ODD_CHARSETS: OddMail[] = [
  ...[
    null,
    '',
    'us-ascii',
    'unknown-8bit',
    'default',
    'cp65001',
    'ANSI_X3.4-1968',
    'x-user-defined',
    'x'.repeat(300),
  ].flatMap(saysNothing),
  ...inCharset('cp437', hex('5a 6f 89 20 e1 81'), 'Zoë ßü'),
  ...inCharset('IBM850', hex('5a 6f 89 20 9b'), 'Zoë ø'),
  ...inCharset('cp866', hex('8f e0 a8 a2 a5 e2'), 'Привет'),
  ...inCharset('windows-949', hex('8c 63 b9 e6'), '똠방'),
  ...inCharset('ks_c_5601-1987', hex('8c 63 b9 e6'), '똠방'),
  ...inCharset('gb2312', hex('c4 e3 ba c3 81 30 89 38'), '你好ß'),
  ...inCharset('big5', hex('a4 a4 a4 e5'), '中文'),
  ...inCharset('cp932', hex('87 40 83 65 83 58 83 67'), '①テスト'),
  ...inCharset('iso-2022-kr', hex('1b 24 29 43 0e 3e 48 33 67 0f 20 31'), '안녕 1'),
  ...inCharset('hz-gb-2312', Buffer.from('~{<:Ky2;R*~} ~~1'), '己所不要 ~1'),
  ...inCharset('utf-7', Buffer.from('Hi Mom +Jjo--+-!'), 'Hi Mom ☺-+!'),
  ...inCharset('utf-16', hex('fe ff 00 e9 65 e5'), 'é日'),
  ...inCharset('iso-8859-1', hex('93 48 69 94 20 80'), '“Hi” €'),
  ...inCharset('utf-32le', hex('e9 00 00 00 00 f6 01 00'), 'é😀'),
  {
    name: 'GB 2312 in HZ over lines, one of them never ended',
    raw: mail(FROM, 'Content-Type: text/plain; charset=hz', '', '~{<:Ky2;R*~}', '~{<:', 'plain'),
    expected: { text: '己所不要\n己\nplain\n' },
  },
  {
    name: 'Korean in ISO-2022-KR over lines, one of them never ended',
    raw: mail(FROM, 'Content-Type: text/plain; charset=iso-2022-kr', '', '\x1b$)C', '\x0e>H3g', 'plain'),
    expected: { text: '\n안녕\nplain\n' },
  },
  {
    name: 'the names of other things as charsets',
    raw: mail('Subject: =?base64?Q?YWJj?= x =?hex?Q?616263?= x =?__proto__?Q?a?= x =?constructor?Q?b?=', '', 'x'),
    expected: { subject: 'YWJj x 616263 x a x b' },
  },
  {
    name: 'HTML that names its charset itself',
    raw: latin1(FROM, 'Content-Type: text/html', '', '<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>'),
    expected: { html: '<meta charset=windows-1251><p>Привет</p>\n', preview: 'Привет' },
  },
  {
    name: 'HTML that names its charset in the old way, behind a label that says nothing',
    raw: latin1(
      FROM,
      'Content-Type: text/html; charset=unknown-8bit',
      '',
      '<META http-equiv="Content-Type" content="text/html; charset=koi8-r"><p>\xf0\xd2\xc9\xd7\xc5\xd4</p>',
    ),
    expected: { preview: 'Привет' },
  },
  {
    name: 'HTML in UTF-8 that names another charset',
    raw: mail(FROM, 'Content-Type: text/html', '', '<meta charset="iso-8859-1"><p>Zoë</p>'),
    expected: { preview: 'Zoë' },
  },
  {
    name: 'HTML whose label and own charset differ',
    raw: latin1(FROM, 'Content-Type: text/html; charset=iso-8859-1', '', '<meta charset=koi8-r><p>Zo\xeb</p>'),
    expected: { preview: 'Zoë' },
  },
  {
    name: 'HTML that names UTF-7, which would hide its tags',
    raw: mail(FROM, 'Content-Type: text/html', '', '<meta charset=utf-7>+ADw-script+AD4-'),
    expected: { html: '<meta charset=utf-7>+ADw-script+AD4-\n' },
  },
  {
    name: 'a character divided between encoded words, each with padding',
    raw: mail('Subject: =?utf-8?B?Wm/D?= =?UTF-8?B?qw==?= =?utf-8?B?4oI=?=', ' =?utf-8?Q?=AC!?=', '', 'x'),
    expected: { subject: 'Zoë€!' },
  },
  {
    name: 'a character divided between encoded words in Shift_JIS',
    raw: mail('Subject: =?shift_jis?B?g2WD?= =?shift_jis?B?WINn?=', '', 'x'),
    expected: { subject: 'テスト' },
  },
  {
    name: 'a divided character under a label that says nothing',
    raw: mail('Subject: =?unknown-8bit?B?Wm/D?= =?unknown-8bit?B?qw==?=', '', 'x'),
    expected: { subject: 'Zoë' },
  },
  {
    name: 'a divided character in a name and a file name',
    raw: mail(
      'From: =?utf-8?B?Wm/D?= =?utf-8?B?qw==?= <z@example.test>',
      'Content-Disposition: attachment; filename="=?utf-8?B?Wm/D?= =?utf-8?B?qy50eHQ=?="',
      '',
      'x',
    ),
    expected: { from: person('z@example.test', 'Zoë'), attachments: [{ filename: 'Zoë.txt' }] },
  },
  {
    name: 'encoded words with a language, and with a comma that is none between addresses',
    raw: mail('To: =?iso-8859-1*de?Q?Z=F6e,_Inc.?= <z@example.test>, b@example.test', '', 'x'),
    expected: { to: [person('z@example.test', 'Zöe, Inc.'), person('b@example.test')] },
  },
  {
    name: 'raw bytes within encoded words',
    raw: latin1(
      'Subject: =?iso-8859-1?Q?gr\xfc=DFe?= \x80 =?koi8-r?Q?\xf0\xd2=C9?=',
      'To: =?windows-1252?Q?Zo\xeb?= <z@example.test>',
      '',
      'x',
    ),
    expected: { subject: 'grüße € При', to: [person('z@example.test', 'Zoë')] },
  },
  {
    name: 'raw UTF-8 within encoded words of another charset',
    raw: mail('Subject: =?iso-8859-1?Q?gr=FCße?=', '', 'x'),
    expected: { subject: 'grüße' },
  },
  {
    name: 'raw bytes in the header of a part',
    raw: latin1(
      FROM,
      'Content-Type: multipart/mixed; boundary=b1',
      '',
      '--b1',
      '',
      'see',
      '--b1',
      'Content-Type: text/csv; name="r\xe9sum\xe9.csv"',
      '',
      'a',
      '--b1--',
    ),
    expected: { text: 'see', attachments: [{ filename: 'résumé.csv' }] },
  },
  {
    name: 'a file name in RFC 2231 pieces that divide a character, in a DOS code page',
    raw: mail(
      FROM,
      'Content-Disposition: attachment;',
      " filename*0*=shift_jis''%83e%83;",
      ' filename*1*=X%83g;',
      ' filename*2=".t%78t"',
      '',
      'x',
    ),
    expected: { attachments: [{ filename: 'テスト.t%78t' }] },
  },
  {
    name: 'a file name in RFC 2231 without a charset',
    raw: mail(FROM, 'Content-Disposition: attachment; filename*=Zo%C3%AB.txt', '', 'x'),
    expected: { attachments: [{ filename: 'Zoë.txt' }] },
  },
]
