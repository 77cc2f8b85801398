import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { ODD_MAIL, type OddMail, SMALL_ODD_MAIL } from '../../../test/corpus/odd-mail.ts'
import type { MimePart } from '../mime-part.ts'
import { createMailParser } from './mail-parser.ts'
import { MAX_ATTACHMENTS, MAX_MESSAGE_BYTES, MAX_PARTS, type ParsedMessage } from './parsed-message.ts'

const parser = createMailParser({ threads: 2, timeoutMs: 20_000, heapMiB: 256 })
after(() => parser.stop())

describe('odd mail is shown as well as it can be', () => {
  for (const { name, raw, expected } of ODD_MAIL) {
    test(name, async () => {
      const message = await parser.parse([raw])
      assert.partialDeepStrictEqual(message, expected)
      assertSameLengths(message, expected)
      assertStorable(message)
    })
  }
})

test('attachments are handed out byte by byte as the sender had them', async () => {
  const csv = 'a,b\r\n1,2'
  const text = 'soft=\r\nbreak =3D=\r\n\r\nend'
  const binary = Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256))
  const raw = [
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/csv',
    '',
    csv,
    '--b',
    'Content-Type: text/x-note',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    text,
    '--b',
    'Content-Type: application/x-thing',
    'Content-Transfer-Encoding: base64',
    '',
    binary.toString('base64').replace(/.{76}/g, '$&\r\n'),
    '--b',
    'Content-Type: text/empty',
    '',
    '--b--',
    '',
  ].join('\r\n')
  const { attachments, mime } = await parser.parse([Buffer.from(raw)])
  assert.deepEqual(
    attachments.map(({ content }) => Buffer.from(content).toString('latin1')),
    [csv, 'softbreak =\r\nend', binary.toString('latin1'), ''],
  )
  for (const { content, sha256, sizeBytes, partId } of attachments) {
    assert.equal(sha256, createHash('sha256').update(content).digest('hex'))
    assert.equal(sizeBytes, content.byteLength)
    assert.equal(mime?.parts.find((part) => part.partId === partId)?.sizeBytes, sizeBytes)
  }
})

test('the tree shows types, parameters, names and places of all parts', async () => {
  const raw = [
    'Content-Type: multipart/mixed; boundary=o',
    '',
    '--o',
    'Content-Type: multipart/alternative; boundary=i',
    '',
    '--i',
    'Content-Type: text/plain; charset=utf-8; format=flowed',
    '',
    'flowed ',
    'text',
    '--i',
    'Content-Type: text/html',
    '',
    '<p>html</p>',
    '--i--',
    '--o',
    'Content-Type: image/png; name=a.png',
    'Content-Disposition: inline; filename=b.png',
    'Content-ID: <c@d>',
    'Content-Transfer-Encoding: base64',
    '',
    'AAAA',
    '--o--',
  ].join('\r\n')
  const { mime, text, html } = await parser.parse([Buffer.from(raw)])
  assert.equal(text, 'flowed text')
  assert.equal(html, '<p>html</p>')
  const leaf = { disposition: null, filename: null, contentId: null, encoding: '8bit', parts: [] }
  assert.deepEqual(mime, {
    ...leaf,
    partId: '1',
    contentType: 'multipart/mixed',
    parameters: { boundary: 'o' },
    sizeBytes: 27,
    parts: [
      {
        ...leaf,
        partId: '1.1',
        contentType: 'multipart/alternative',
        parameters: { boundary: 'i' },
        sizeBytes: 24,
        parts: [
          {
            ...leaf,
            partId: '1.1.1',
            contentType: 'text/plain',
            parameters: { charset: 'utf-8', format: 'flowed' },
            sizeBytes: 13,
          },
          { ...leaf, partId: '1.1.2', contentType: 'text/html', parameters: {}, sizeBytes: 11 },
        ],
      },
      {
        partId: '1.2',
        contentType: 'image/png',
        parameters: { name: 'a.png' },
        disposition: 'inline',
        filename: 'b.png',
        contentId: 'c@d',
        encoding: 'base64',
        sizeBytes: 3,
        parts: [],
      },
    ],
  })
})

test('a thousand parts are shown, and those behind them are not', async () => {
  const part = '--b\r\nContent-Type: a/b\r\n\r\nx\r\n'
  const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(MAX_PARTS)}`
  const message = await parser.parse([Buffer.from(raw)])
  assert.equal(message.readable, 'partly')
  assert.equal(countParts(message.mime), MAX_PARTS)

  const fewer = await parser.parse([Buffer.from(raw.slice(0, -part.length))])
  assert.equal(fewer.readable, 'whole')
  assert.equal(countParts(fewer.mime), MAX_PARTS)
})

test('a hundred files are kept of a message, and those behind them are parts of its tree', async () => {
  const part = '--b\r\nContent-Type: a/b\r\n\r\nx\r\n'
  const withFiles = async (files: number) => {
    const raw = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n${part.repeat(files)}`
    return parser.parse([Buffer.from(raw)])
  }
  assert.equal((await withFiles(MAX_ATTACHMENTS)).attachments.length, MAX_ATTACHMENTS)
  const { attachments, mime, text, readable } = await withFiles(MAX_ATTACHMENTS + 1)
  assert.equal(attachments.length, MAX_ATTACHMENTS)
  assert.equal(attachments.at(-1)?.partId, `1.${MAX_ATTACHMENTS + 1}`)
  assert.equal(mime?.parts.length, MAX_ATTACHMENTS + 2)
  assert.deepEqual([text, readable], ['text', 'whole'])
})

test("a field's addresses are listed until they are too many or too long, and its header shows them all", async () => {
  const fieldsOf = async (list: string[]) => {
    const { to, cc, replyTo, headers } = await parser.parse([
      Buffer.from(['To', 'Cc', 'Reply-To'].map((name) => `${name}: ${list.join(',\r\n ')}\r\n`).join('')),
    ])
    for (const { value } of headers) assert.equal(value.split('@').length - 1, list.length)
    assert.deepEqual([cc, replyTo], [to, to])
    return to
  }
  const ordinary = Array.from({ length: 1_001 }, (_, i) => `${'n'.repeat(48)} <${i + 1_000}@shop.test>`)
  assert.equal((await fieldsOf(ordinary.slice(0, 999))).length, 999)
  assert.equal((await fieldsOf(ordinary)).length, 1_000)

  const long = Array.from({ length: 255 }, (_, i) => `${'n'.repeat(128)} <${i + 1_000}${'a'.repeat(117)}@b.test>`)
  const filling = `${'a'.repeat(65_536 - 255 * 256 - '@b.test'.length)}@b.test`
  assert.equal((await fieldsOf([...long, filling, 'x@b.test'])).at(-1)?.address, filling)
  assert.equal((await fieldsOf([...long, `a${filling}`, 'x@b.test'])).length, 255)
})

test('a message comes in pieces of any size', async () => {
  const { raw, expected } = SMALL_ODD_MAIL.find(({ name }) => name === 'a calendar invitation') ?? assert.fail()
  async function* oneByOne() {
    for (const byte of raw) yield Buffer.from([byte])
  }
  assert.partialDeepStrictEqual(await parser.parse(oneByOne()), expected)
})

test('the pieces stay the property of the caller', async () => {
  const raw = Buffer.from('Subject: mine\r\n\r\nbody')
  await parser.parse([raw])
  assert.equal(raw.toString(), 'Subject: mine\r\n\r\nbody')
})

test('a source that fails is no fault of the message, and the next message is read', async () => {
  async function* broken() {
    yield Buffer.from('Subject: half\r\n')
    throw new Error('the store went away')
  }
  await assert.rejects(parser.parse(broken()), /the store went away/)
  await assert.rejects(parser.parse(broken()), /the store went away/)
  const next = await parser.parse([Buffer.from('Subject: next\r\n\r\nx')])
  assert.deepEqual(next.headers, [{ name: 'Subject', value: 'next' }])
})

test('a message larger than any we take still shows its header', async () => {
  function* tooLarge() {
    yield Buffer.from('Subject: large\r\n\r\n')
    for (let sent = 0; sent <= MAX_MESSAGE_BYTES; sent += 1_048_576) yield Buffer.alloc(1_048_576, 'x')
  }
  const message = await parser.parse(tooLarge())
  assert.partialDeepStrictEqual(message, { readable: 'headers-only', fault: 'too_large', subject: 'large', text: null })
})

test('a message that takes too long loses its thread, and the next one is read', async () => {
  const hasty = createMailParser({ threads: 1, timeoutMs: 1_000, heapMiB: 256 })
  try {
    const slow = Buffer.concat([Buffer.from('Subject: slow\r\n\r\n'), Buffer.alloc(20_000_000, '\n')])
    const [first, second] = await Promise.all([hasty.parse([slow]), hasty.parse([Buffer.from('Subject: b\r\n\r\nx')])])
    assert.partialDeepStrictEqual(first, { fault: 'timeout', readable: 'headers-only', subject: 'slow' })
    assert.equal(second.text, 'x')
  } finally {
    await hasty.stop()
  }
})

test('a message that takes too much memory loses its thread and shows its header', async () => {
  const small = createMailParser({ threads: 1, timeoutMs: 20_000, heapMiB: 16 })
  try {
    const header = 'From: ada@example.test\r\nSubject: greedy\r\nContent-Type: text/plain; format=flowed\r\n\r\n'
    const greedy = await small.parse([Buffer.from(header + 'x \r\n'.repeat(2_000_000))])
    assert.partialDeepStrictEqual(greedy, { readable: 'headers-only', fault: 'memory', subject: 'greedy' })
    assert.equal((await small.parse([Buffer.from('Subject: next\r\n\r\nx')])).text, 'x')
  } finally {
    await small.stop()
  }
})

test('a stopped parser finishes what it reads, refuses what waits, and takes nothing more', async () => {
  const stopping = createMailParser({ threads: 1, timeoutMs: 20_000, heapMiB: 256 })
  const reading = stopping.parse([Buffer.from('Subject: first\r\n\r\nx')])
  const waiting = stopping.parse([Buffer.from('Subject: second\r\n\r\nx')])
  const refused = assert.rejects(waiting, /stopped/)
  await stopping.stop()
  assert.equal((await reading).subject, 'first')
  await refused
  await assert.rejects(stopping.parse([]), /stopped/)
})

test('any mutation of odd mail is shown, twice the same: each part as text, HTML or a file that the tree has too', async () => {
  const anyMail = fc.constantFrom(...SMALL_ODD_MAIL.map(({ raw }) => raw))
  const mutation = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    remove: fc.nat(40),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom('\r\n', '\n', '\r', '--b1', '--b1--', '=?utf-8?', '?=', '"', '(', '<', ';', ':').map(Buffer.from),
      fc.constantFrom(...SMALL_ODD_MAIL.map(({ raw }) => raw)),
    ),
  })
  await fc.assert(
    fc.asyncProperty(anyMail, fc.array(mutation, { minLength: 1, maxLength: 8 }), async (raw, mutations) => {
      let bytes = raw
      for (const { at, remove, insert } of mutations) {
        const cut = Math.floor(at * bytes.length)
        bytes = Buffer.concat([bytes.subarray(0, cut), insert, bytes.subarray(cut + remove)])
      }
      const message = await parser.parse([bytes])
      assert.equal(message.fault, null)
      assertStorable(message)
      assertAgreement(message)
      assert.deepEqual(await parser.parse([bytes]), message)
    }),
    { numRuns: 1_000 },
  )
})

/** A partial comparison takes a shorter list for a longer one. */
function assertSameLengths(message: ParsedMessage, expected: OddMail['expected']): void {
  const lists = ['headers', 'to', 'cc', 'references', 'attachments'] as const
  for (const list of lists) assert.equal(message[list].length, (expected[list] ?? message[list]).length, list)
}

/** Files are leaves of the tree; where there is no body, every part that has bytes is one. */
function assertAgreement({ mime, attachments, text, html, preview }: ParsedMessage): void {
  const sizes = new Map(leavesOf(mime).map(({ partId, sizeBytes }) => [partId, sizeBytes]))
  for (const { partId, sizeBytes } of attachments) assert.equal(sizes.get(partId), sizeBytes)
  if (text === null && html === null) {
    assert.equal(preview, '')
    const unseen = leavesOf(mime).filter(({ partId }) => attachments.every((file) => file.partId !== partId))
    // A byte order mark is a body of nothing.
    for (const { sizeBytes } of unseen) assert.ok(sizeBytes <= 3)
  }
}

function leavesOf(part: MimePart | null): MimePart[] {
  return part ? (part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf)) : []
}

function countParts(part: MimePart | null): number {
  return part ? 1 + part.parts.reduce((sum, child) => sum + countParts(child), 0) : 0
}

/** What PostgreSQL takes as text and as jsonb. */
function assertStorable(message: ParsedMessage): void {
  const json = JSON.stringify({ ...message, attachments: message.attachments.map(({ content: _, ...rest }) => rest) })
  assert.doesNotMatch(json, /\\u0000|\\ud[89a-f]/i)
  assert.ok(message.preview.length <= 200)
  for (const body of [message.text, message.html]) assert.ok(Buffer.byteLength(body ?? '') <= 1_048_576)
}
