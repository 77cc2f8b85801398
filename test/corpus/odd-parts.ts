// Mail whose parts are not what, or where, they should be.
import { FROM, hex, mail, type OddMail, parts, person, withBody } from './compose.ts'

const PLAIN = (...lines: string[]) => ['Content-Type: text/plain', '', ...lines]
const HTML = (...lines: string[]) => ['Content-Type: text/html', '', ...lines]
const NAMED = (name: string, ...lines: string[]) => [`Content-Type: text/plain; name=${name}`, '', ...lines]
const PICTURE = ['Content-Type: image/png', 'Content-Transfer-Encoding: base64', '', 'iVBORw==']

/** `parts` as lines within another multipart, with a boundary of its own. */
const within = (boundary: string, lines: string[]) => lines.map((line) => line.replaceAll('b1', boundary))

const UUENCODED = ['begin 644 cat.txt', '#0V%T', '`', 'end']

export const ODD_PARTS: OddMail[] = [
  {
    name: 'a named text behind the first part',
    raw: mail(FROM, ...parts('mixed', PLAIN('see log'), NAMED('a.log', 'line 1'))),
    expected: { text: 'see log', attachments: [{ partId: '1.2', filename: 'a.log', sizeBytes: 6 }] },
  },
  {
    name: 'a named text, inline, behind the first part',
    raw: mail(
      FROM,
      ...parts('mixed', PLAIN('see log'), ['Content-Disposition: inline; filename=a.log', '', 'line 1'], PLAIN('bye')),
    ),
    expected: { text: 'see log\nbye', attachments: [{ filename: 'a.log', disposition: 'inline' }] },
  },
  {
    name: 'a named text that comes first',
    raw: mail(FROM, ...parts('mixed', NAMED('body.txt', 'the words'), ['Content-Type: text/csv', '', 'a'])),
    expected: { text: 'the words', attachments: [{ mediaType: 'text/csv' }] },
  },
  {
    name: 'a message that is one named text',
    raw: mail(FROM, ...NAMED('body.txt', 'the words')),
    expected: { text: 'the words\n', attachments: [], mime: { filename: 'body.txt' } },
  },
  {
    name: 'named HTML behind text',
    raw: mail(
      FROM,
      ...parts('mixed', PLAIN('see page'), ['Content-Type: text/html; name=page.html', '', '<p>page</p>']),
    ),
    expected: { text: 'see page', html: null, attachments: [{ filename: 'page.html', mediaType: 'text/html' }] },
  },
  {
    name: 'texts with a picture between them',
    raw: mail(FROM, ...parts('mixed', PLAIN('above'), PICTURE, PLAIN('below'))),
    expected: { text: 'above\nbelow', html: null, attachments: [{ mediaType: 'image/png' }] },
  },
  {
    name: 'a text among related parts that is not the first',
    raw: mail(FROM, ...parts('related', HTML('<p>root</p>'), PLAIN('a part of it'))),
    expected: { text: null, html: '<p>root</p>', attachments: [{ partId: '1.2', mediaType: 'text/plain' }] },
  },
  {
    name: 'HTML with a footer in text',
    raw: mail(FROM, ...parts('mixed', HTML('<p>Hello <b>Bob</b></p><p>Bye</p>'), PLAIN('-- ', 'a list <x>'))),
    expected: {
      text: 'Hello Bob\n\nBye\n-- \na list <x>',
      html: '<p>Hello <b>Bob</b></p><p>Bye</p>\n<pre style="white-space: pre-wrap">-- \na list &lt;x&gt;</pre>',
      preview: 'Hello Bob Bye -- a list <x>',
      attachments: [],
    },
  },
  {
    name: 'alternatives with a footer below them',
    raw: mail(
      FROM,
      ...parts('mixed', within('b2', parts('alternative', PLAIN('words'), HTML('<p>words</p>'))), PLAIN('footer')),
    ),
    expected: {
      text: 'words\nfooter',
      html: '<p>words</p>\n<pre style="white-space: pre-wrap">footer</pre>',
      attachments: [],
    },
  },
  {
    name: 'alternatives whose HTML is in pieces around a picture',
    raw: mail(
      FROM,
      ...parts(
        'alternative',
        PLAIN('all the words'),
        within('b2', parts('mixed', HTML('<p>all</p>'), PICTURE, HTML('<p>the words</p>'))),
      ),
    ),
    expected: {
      text: 'all the words',
      html: '<p>all</p>\n<p>the words</p>',
      attachments: [{ partId: '1.2.2', mediaType: 'image/png' }],
    },
  },
  {
    name: 'alternatives of one kind',
    raw: mail(FROM, ...parts('mixed', within('b2', parts('alternative', HTML('<p>rich</p>'))), PLAIN('plain'))),
    expected: { text: 'rich\nplain', html: '<p>rich</p>\n<pre style="white-space: pre-wrap">plain</pre>' },
  },
  {
    name: 'a multipart within another whose boundary never appears',
    raw: mail(
      FROM,
      ...parts('mixed', PLAIN('above'), ['Content-Type: multipart/related; boundary=z', '', 'lost words']),
    ),
    expected: { text: 'above\nlost words', attachments: [] },
  },
  {
    name: 'no type where there should be one',
    raw: mail(FROM, 'Content-Type:', '', 'words'),
    expected: { text: 'words\n', mime: { contentType: 'text/plain' } },
  },
  {
    name: 'a type of half a name',
    raw: mail(FROM, 'Content-Type: text', '', 'words'),
    expected: { text: 'words\n', attachments: [] },
  },
  {
    name: 'half a type that is a file',
    raw: mail(FROM, 'Content-Type: pdf', 'Content-Transfer-Encoding: base64', '', 'JVBERg=='),
    expected: { text: null, attachments: [{ mediaType: 'application/octet-stream', sizeBytes: 4 }] },
  },
  {
    name: 'a type without its semicolon',
    raw: mail(FROM, 'Content-Type: text/html charset=utf-8', '', '<p>Zoë</p>'),
    expected: { text: null, html: '<p>Zoë</p>\n', mime: { contentType: 'text/html' } },
  },
  {
    name: 'base64 with a footer behind its padding',
    raw: mail(
      FROM,
      'Content-Transfer-Encoding: base64',
      '',
      'aGVsbG8=',
      '____________________________',
      'List mailing list https://list.example.test/',
    ),
    expected: { text: 'hello', mime: { sizeBytes: 5 } },
  },
  {
    name: 'base64 with a word behind its padding',
    raw: mail(FROM, 'Content-Transfer-Encoding: base64', '', 'aGVsbG8gd29ybGQ=', 'trailing'),
    expected: { text: 'hello world' },
  },
  {
    name: 'base64 with padding in each line',
    raw: mail(
      FROM,
      'Content-Disposition: attachment; filename=x',
      'Content-Transfer-Encoding: base64',
      '',
      'aGVsbG8=',
      'IHdvcmw=',
      'ZCEhISE=',
      'Li4u',
    ),
    expected: { attachments: [{ sizeBytes: 18 }] },
  },
  {
    name: 'base64 whose last letter is lost',
    raw: mail(FROM, 'Content-Transfer-Encoding: base64', '', 'aGVsbG8gd29ybGQhI'),
    expected: { text: 'hello world!' },
  },
  {
    name: 'base64 without an empty line before it',
    raw: mail(
      FROM,
      ...parts(
        'mixed',
        PLAIN('see file'),
        [
          'Content-Type: application/pdf; name=r.pdf',
          'Content-Transfer-Encoding: base64',
          'JVBERi0xLjQKJVBERi0xLjQK',
          'JVBERi0xLjQK',
        ],
        ['Content-Type: text/csv', '', 'a'],
      ),
    ),
    expected: {
      text: 'see file',
      attachments: [
        { filename: 'r.pdf', mediaType: 'application/pdf', sizeBytes: 27 },
        { mediaType: 'text/csv', sizeBytes: 1 },
      ],
    },
  },
  {
    name: 'text without an empty line before it',
    raw: mail(
      FROM,
      ...parts('mixed', ['Content-Type: text/plain', 'Hello Bob,', 'how are you', '', 'Ada'], ['bare words']),
    ),
    expected: { text: 'Hello Bob,\nhow are you\n\nAda\nbare words', attachments: [] },
  },
  {
    name: 'parts without an empty line before them',
    raw: mail(FROM, 'Content-Type: multipart/mixed; boundary=b1', '--b1', ...PLAIN('first'), '--b1--'),
    expected: { text: 'first', mime: { contentType: 'multipart/mixed' } },
  },
  {
    name: 'a message without a header',
    raw: mail('Hello Bob,', 'note: this is no field', '', 'Ada'),
    expected: { headers: [], subject: '', text: 'Hello Bob,\nnote: this is no field\n\nAda\n' },
  },
  {
    name: 'a message without a header or an empty line',
    raw: mail('only words', 'in two lines'),
    expected: { headers: [], text: 'only words\nin two lines\n', preview: 'only words in two lines' },
  },
  {
    name: 'a header with a broken line in it',
    raw: mail(
      'DKIM-Signature: v=1; bh=abc',
      'def',
      FROM,
      'Subject: kept',
      'lost fold',
      'To: b@example.test',
      '',
      'body',
    ),
    expected: { subject: 'kept', from: person('ada@example.test', 'Ada'), text: 'body\n' },
  },
  {
    name: 'a header that ends with a line that is no field',
    raw: mail(FROM, 'Subject: kept', 'Dear Bob,', '', 'bye'),
    expected: { subject: 'kept', text: 'Dear Bob,\n\nbye\n' },
  },
  {
    name: 'a byte order mark before the header',
    raw: Buffer.concat([hex('ef bb bf'), mail('X-First: a', 'Subject: kept', '', 'body')]),
    expected: { subject: 'kept', text: 'body\n' },
  },
  {
    name: 'a file in uuencode',
    raw: mail(
      FROM,
      'Content-Type: application/octet-stream; name=cat.txt',
      'Content-Transfer-Encoding: x-uuencode',
      '',
      ...UUENCODED,
    ),
    expected: {
      attachments: [
        {
          filename: 'cat.txt',
          sizeBytes: 3,
          sha256: '48735c4fae42d1501164976afec76730b9e5fe467f680bdd8daff4bb77674045',
        },
      ],
    },
  },
  {
    name: 'a file in uuencode whose blanks were cut off, with words around it',
    raw: mail(
      FROM,
      'Content-Type: application/octet-stream',
      'Content-Transfer-Encoding: uuencode',
      '',
      'words',
      'begin 644 a b.bin',
      '#',
      'end',
      'more',
    ),
    expected: { attachments: [{ sizeBytes: 3 }] },
  },
  {
    name: 'uuencode within a text, which is a text',
    raw: mail(FROM, '', 'see below', '', ...UUENCODED),
    expected: { text: 'see below\n\nbegin 644 cat.txt\n#0V%T\n`\nend\n', attachments: [] },
  },
  {
    name: 'flowed text that is quoted',
    raw: withBody(
      [FROM, 'Content-Type: text/plain; format=flowed'],
      Buffer.from('> one \r\n> two\r\n>> three \r\n> four\r\n-- \r\nAda \r\nL.\r\n stuffed\r\n'),
    ),
    expected: { text: '> one two\n>> three \n> four\n-- \nAda L.\nstuffed\n' },
  },
  {
    name: 'flowed text in a script without blanks',
    raw: mail(FROM, 'Content-Type: text/plain; format=flowed; delsp=yes', '', '日本 ', '語'),
    expected: { text: '日本語\n' },
  },
]
