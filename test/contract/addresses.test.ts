// The addresses that the contract allows and those that the service takes are the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToASCII } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { isEmailAddress } from '../../src/lib/formats.ts'
import { DOCUMENT } from '../support/openapi.ts'

const { to } = (DOCUMENT.components.schemas.SendMessageInput as { properties: Record<string, { items: object }> })
  .properties
const ajv = new Ajv2020({ strict: false })
// What is beyond its pattern is compared here, and not believed.
ajv.addFormat('idn-email', true)
const isAllowed = ajv.compile<string>(to?.items ?? {})

/** As long as the schema and the service let an address be, and the service's bound beside the format's own. */
const isTaken = (text: string) => [...text].length <= 254 && isEmailAddress(text)

const ASCII = fc.constantFrom(...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)))
const COMMON = fc.constantFrom(...'abzABZ0189.-_+@@..--'.split(''))
const BEYOND = fc.constantFrom(...'äÄß用例łé\u0301א１٣\u00a0\u200b\u00ad\ue000\u{1f4a9}٪'.split(/(?:)/u))

/** Almost an address: parts that are right, or wrong in one place. */
function almostAddresses(unit: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const lengths = fc.constantFrom(1, 1, 2, 3, 8, 62, 63, 64, 65)
  const part = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'abz019'.split('')), minLength: 1, maxLength: 5 }),
    lengths.map((length) => 'x'.repeat(length)),
    lengths.map((length) => `${'7'.repeat(length)}`),
    fc.string({ unit, minLength: 0, maxLength: 4 }),
    fc.constantFrom(
      '-a',
      'a-',
      'a-b',
      '[127',
      '1]',
      '"a b"',
      '"a"',
      "o'neil",
      'x--y',
      'xn--mnchen-3ya',
      'xn--zzzzzz99',
      '',
    ),
  )
  const dotted = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'))
  const long = fc
    .integer({ min: 240, max: 260 })
    .map((length) => `a@${`${'b'.repeat(49)}.`.repeat(5).slice(0, length - 6)}.com`)
  return fc.oneof(
    { arbitrary: fc.tuple(dotted, dotted).map(([local, domain]) => `${local}@${domain}`), weight: 6 },
    { arbitrary: fc.tuple(dotted, dotted, dotted).map(([a, b, c]) => `${a}@${b}@${c}`), weight: 1 },
    { arbitrary: fc.string({ unit: fc.oneof(unit, COMMON), maxLength: 20 }), weight: 2 },
    { arbitrary: long, weight: 1 },
  )
}

test('of addresses in ASCII the contract allows exactly those that the service takes', () => {
  const seen = { taken: 0, refused: 0 }
  fc.assert(
    fc.property(almostAddresses(ASCII), (text) => {
      seen[isTaken(text) ? 'taken' : 'refused']++
      assert.equal(isAllowed(text), isTaken(text), JSON.stringify(text))
    }),
    { numRuns: 20_000 },
  )
  assert(seen.taken > 1_000 && seen.refused > 1_000, JSON.stringify(seen))
})

test('both sides of each bound are the same in both', () => {
  for (const [text, expected] of [
    ['a@b.co', true],
    ['a@b', false],
    [`${'x'.repeat(64)}@b.co`, true],
    [`${'x'.repeat(65)}@b.co`, false],
    [`a@${'b'.repeat(63)}.co`, true],
    [`a@${'b'.repeat(64)}.co`, false],
    [`a@b.${'c'.repeat(63)}`, true],
    [`a@b.${'c'.repeat(64)}`, false],
    [`a@${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(59)}.co`, true],
    [`ab@${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(59)}.co`, true],
    [`abc@${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(59)}.co`, false],
    ['a@1.2.3.4', false],
    ['a@b.4x', false],
    ['a@4.x4', true],
    ['a@b-c.d-e', true],
    ['a@b_c.de', false],
    ['a.b@c.de', true],
    ['.a@c.de', false],
    ['a.@c.de', false],
    ['a..b@c.de', false],
    ['"a b"@c.de', false],
    ['a@[127.0.0.1]', false],
    ['a@c.de\n', false],
    ['użytkownik@przykład.pl', true],
    ['用户@例子.中国', true],
  ] as const) {
    assert.deepEqual([isAllowed(text), isTaken(text)], [expected, expected], text)
  }
})

test('beyond ASCII the contract allows what the service takes, and the format of the contract says what it takes less', () => {
  const seen = { taken: 0, less: 0 }
  fc.assert(
    fc.property(almostAddresses(fc.oneof(BEYOND, COMMON)), (text) => {
      if (isTaken(text)) {
        seen.taken++
        return assert(isAllowed(text), JSON.stringify(text))
      }
      if (!isAllowed(text)) return
      seen.less++
      const [local = '', domain = ''] = text.split('@')
      const ascii = domainToASCII(domain)
      const isTooLong = Buffer.byteLength(local) > 64 || Buffer.byteLength(local) + 1 + ascii.length > 254
      const isNoName = !/^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.[a-z][a-z0-9-]{0,62}$/.test(ascii)
      const isInvisible = /[\p{C}\p{Z}]/u.test(text)
      const isNoLetter = /[^\p{L}\p{M}\p{N}.-]|(?:^|\.)\p{M}/u.test(domain)
      // A digit of another script too, which is one of ASCII on the wire or stands within what is encoded.
      const beginsWithDigit = /\.\p{N}[^.]*$/u.test(domain)
      assert(isTooLong || isNoName || isInvisible || isNoLetter || beginsWithDigit, JSON.stringify(text))
    }),
    { numRuns: 20_000 },
  )
  assert(seen.taken > 500 && seen.less > 100, JSON.stringify(seen))
})
