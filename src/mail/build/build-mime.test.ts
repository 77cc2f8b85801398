import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { isEmailAddress } from '../../lib/formats.ts'
import { UnbuildableMessage, wireAddress } from '../mail-address.ts'
import { buildMime } from './build-mime.ts'
import type { OutgoingMessage } from './layout.ts'

const plain: OutgoingMessage = {
  messageId: '<0192f0a0-0000-7000-8000-000000000001@example.com>',
  date: new Date('2026-01-05T10:00:00Z'),
  from: { address: 'sender@example.com', name: 'Sender' },
  to: [{ address: 'one@example.net', name: null }],
  cc: [],
  subject: 'Hello',
  text: 'Hello\n',
  html: null,
}

/** What a reader sees: postal-mime, which shares no code with what wrote it. */
async function readBack(message: OutgoingMessage) {
  const { bytes } = await buildMime(message)
  assertTransportable(bytes)
  return PostalMime.parse(bytes)
}

/** RFC 5321 §4.5.3.1.6 and §2.3.8, RFC 5322 §2.1.1: CRLF and no other CR or LF, no NUL, at most 998 octets. */
function assertTransportable(bytes: Buffer) {
  const raw = bytes.toString('latin1')
  assert.ok(raw.endsWith('\r\n'))
  assert.doesNotMatch(raw, /\r(?!\n)|(?<!\r)\n|\0/)
  const longest = raw.split('\r\n').reduce((most, line) => Math.max(most, line.length), 0)
  assert.ok(longest <= 998, `a line of ${longest} octets`)
  const header = raw.slice(0, raw.indexOf('\r\n\r\n'))
  for (const line of header.split('\r\n'))
    assert.match(line, /^[\w-]+:|^[ \t]+\S/, 'a header line is a field or folded')
}

/** Readers differ about the line ends at the end of a part; all else must be equal. */
const lines = (text: string | undefined) => (text ?? '').replace(/\r\n?/g, '\n').replace(/\n+$/, '')

const unit = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'grapheme' }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary' }).map((text) => text.replace(/\0/g, '')) },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE()) },
)
function HOSTILE() {
  return [
    '\r\nBcc: victim@example.org\r\n\r\n',
    '=?utf-8?Q?not_encoded?=',
    '=?UTF-8?B?w7ZrOw',
    '\r\n.\r\n',
    '\u2028\u2029\u0085',
    '"\\',
    '<>,;:@',
    '   ',
    '\t',
    'x'.repeat(200),
    'ü'.repeat(120),
    '👩‍👩‍👧‍👦'.repeat(20),
    '\r',
    '\n',
    'From ',
    '..',
    '=3D=',
  ]
}
const anyText = (maxLength: number) =>
  fc.array(unit, { maxLength: 12 }).map((parts) => parts.join('').slice(0, maxLength).toWellFormed())

describe('a message is read back as it was given', () => {
  test('whatever its subject and its sender are called', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(998), anyText(255), async (subject, name) => {
        const mail = await readBack({ ...plain, subject, from: { address: 'sender@example.com', name } })
        const oneLine = (text: string) => text.replace(/\r\n|[\r\n]/g, ' ')
        assert.equal(mail.subject ?? '', oneLine(subject))
        assert.equal(mail.from?.name ?? '', oneLine(name).trim())
        assert.equal(mail.from?.address, 'sender@example.com')
        assert.deepEqual(
          mail.headers.map(({ key }) => key),
          FIELDS,
        )
      }),
      { numRuns: 300 },
    )
  })

  test('whatever its text and its html are', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(3_000), anyText(3_000), async (text, html) => {
        const both = await readBack({ ...plain, text, html })
        assert.equal(lines(both.text), lines(text))
        assert.equal(lines(both.html), lines(html))
        assert.equal(lines((await readBack({ ...plain, text })).text), lines(text))
        assert.equal(lines((await readBack({ ...plain, text: null, html })).html), lines(html))
      }),
      { numRuns: 200 },
    )
  })

  test('and its bytes depend on nothing but itself', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(998), anyText(3_000), anyText(3_000), async (subject, text, html) => {
        const message = { ...plain, subject, text, html }
        const first = await buildMime(message)
        const again = await buildMime(structuredClone(message))
        assert.ok(first.bytes.equals(again.bytes))
      }),
      { numRuns: 50 },
    )
  })

  test('with a hundred recipients, in order', async () => {
    const address = (i: number) => ({ address: `${'a'.repeat(60)}${i}@${'b'.repeat(60)}.example.net`, name: null })
    const to = Array.from({ length: 50 }, (_, i) => address(i))
    const cc = Array.from({ length: 50 }, (_, i) => ({ ...address(50 + i), name: `Zoë, number ${i}` }))
    const mail = await readBack({ ...plain, to, cc })
    assert.deepEqual(
      mail.to?.map((found) => found.address),
      to.map((given) => given.address),
    )
    assert.deepEqual(
      mail.cc?.map(({ address, name }) => ({ address, name })),
      cc,
    )
  })
})

const FIELDS = [
  'message-id',
  'date',
  'from',
  'to',
  'subject',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
]

describe('the form of a message', () => {
  test('what it answers stands a line each, however long the ids are, and nothing else can be written there', async () => {
    const references = ['<a@example.net>', `<${'b'.repeat(900)}>`, '<c@example.net>']
    const { bytes } = await buildMime({ ...plain, inReplyTo: '<c@example.net>', references })
    const header = bytes.toString().split('\r\n\r\n')[0] as string
    assert(header.includes(`\r\nIn-Reply-To: <c@example.net>\r\nReferences: ${references.join('\r\n ')}\r\n`))
    assert(header.split('\r\n').every((line) => line.length <= 998))
    for (const bad of ['<a@b>\r\nBcc: x@y.example', 'a@b', `<${'b'.repeat(901)}>`]) {
      await assert.rejects(buildMime({ ...plain, references: [bad] }), UnbuildableMessage)
    }
  })

  test('text and html are alternatives, the richer one last', async () => {
    const { bytes } = await buildMime({ ...plain, html: '<p>Hello</p>' })
    assert.match(bytes.toString(), /multipart\/alternative[\s\S]*text\/plain[\s\S]*text\/html/)
  })

  test('short ASCII stays readable as it is', async () => {
    const { bytes } = await buildMime(plain)
    assert.equal(
      bytes.toString(),
      [
        'Message-ID: <0192f0a0-0000-7000-8000-000000000001@example.com>',
        'Date: Mon, 05 Jan 2026 10:00:00 +0000',
        'From: Sender <sender@example.com>',
        'To: one@example.net',
        'Subject: Hello',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: 7bit',
        '',
        'Hello',
        '',
      ].join('\r\n'),
    )
  })

  test('encoded lines are 76 characters at most', async () => {
    for (const unit of ['ä quarter ', 'это ', 'a'.repeat(3_000), 'é', '=', ' ']) {
      const text = unit.repeat(Math.ceil(20_000 / unit.length))
      const body = (await buildMime({ ...plain, text })).bytes.toString().split('\r\n\r\n')[1] ?? ''
      for (const line of body.split('\r\n')) assert.ok(line.length <= 76, line)
    }
  })

  test('an empty subject and an empty text are sent as such', async () => {
    const mail = await readBack({ ...plain, subject: '', text: '' })
    assert.equal(mail.subject ?? '', '')
    assert.equal(lines(mail.text), '')
    const alternative = await readBack({ ...plain, text: '', html: '<b>x</b>' })
    assert.equal(lines(alternative.html), '<b>x</b>')
  })

  test('lone CR and LF become line ends', async () => {
    const { bytes } = await buildMime({ ...plain, text: 'a\rb\nc\r\nd\n\re' })
    assert.match(bytes.toString(), /\r\n\r\na\r\nb\r\nc\r\nd\r\n\r\ne\r\n$/)
  })
})

describe('addresses beyond ASCII', () => {
  test('a domain is written in ASCII and needs nothing of the relay', async () => {
    const built = await buildMime({ ...plain, to: [{ address: 'post@münchen.example', name: null }] })
    assert.equal(built.smtpUtf8, false)
    assert.match(built.bytes.toString(), /^To: post@xn--mnchen-3ya\.example\r$/m)
  })

  test('a local part is written as it is and needs SMTPUTF8, wherever it stands', async () => {
    const address = { address: 'jürgen@münchen.example', name: 'Jürgen' }
    for (const change of [{ from: address }, { to: [address] }, { cc: [address] }]) {
      const built = await buildMime({ ...plain, ...change })
      assert.equal(built.smtpUtf8, true)
      assert.match(built.bytes.toString(), /<jürgen@xn--mnchen-3ya\.example>/)
    }
  })

  test('what is no address is reported, and never written', async () => {
    for (const address of [
      '',
      'a',
      '@b.test',
      'a@',
      'a b@c.test',
      'a@b.test\r\nBcc: x@y.test',
      'a@b.test>, <c@d.test',
      'a@b/c.test',
      'a\u2028@b.test',
      'a,b@c.test',
      'a@[127.0.0.1]',
      'a@b..test',
    ]) {
      await assert.rejects(buildMime({ ...plain, to: [{ address, name: null }] }), UnbuildableMessage, address)
    }
    await assert.rejects(buildMime({ ...plain, messageId: '<a@b>\r\nX: y' }), UnbuildableMessage)
  })

  test('what the API takes for an address can be written', () => {
    const label = (letters: string) => fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 20 })
    // Of the odd ones few are addresses: half have what domains are made of.
    const domain = fc
      .oneof(fc.constant('aü9א٠例ａﬁ½²１ßक्·-_é'), fc.constant('aü例é'))
      .chain((letters) => fc.array(label(letters), { minLength: 2, maxLength: 3 }))
      .map((labels) => labels.join('.'))
    const local = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    let taken = 0
    fc.assert(
      fc.property(local, domain, (name, at) => {
        if (!isEmailAddress(`${name}@${at}`)) return
        taken += 1
        assert.match(wireAddress(`${name}@${at}`), /@(?=.{1,253}$)([a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/)
      }),
      { numRuns: 5_000 },
    )
    assert(taken > 100, `only ${taken} of them were addresses`)
  })
})

test('the largest bodies are read back and leave the event loop to others', async () => {
  for (const unit of [
    'plain words and more of them. ',
    'Grüße aus Köln, das ist gut.\n',
    'Это очень длинное письмо. ',
    '漢字',
  ]) {
    const text = unit.repeat(1_000_000 / unit.length).slice(0, 1_000_000)
    const html = unit.repeat(2_000_000 / unit.length).slice(0, 2_000_000)
    const longestTurn = measureTurns()
    const { bytes } = await buildMime({ ...plain, text, html })
    const heldMs = longestTurn()
    assert.ok(heldMs < 250, `held the event loop for ${heldMs} ms`)
    assertTransportable(bytes)
    const mail = await PostalMime.parse(bytes)
    assert.ok(lines(mail.text) === lines(text))
    assert.ok(lines(mail.html) === lines(html))
  }
})

/** Gives what ends it: the most CPU, in milliseconds, that a turn of the event loop has taken. Other programs do not count. */
function measureTurns(): () => number {
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let [longest, last] = [0, cpuMs()]
  const look = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  let next = setImmediate(function turn() {
    look()
    next = setImmediate(turn)
  })
  return () => {
    look()
    clearImmediate(next)
    return longest
  }
}
