// What goes wrong with a body below its values: octets lost, doubled, changed, in another encoding, packed, or said to be
// what they are not.
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'

export interface SpoiltBody {
  octets: Buffer<ArrayBuffer>
  headers: Record<string, string>
}

/** Octets that begin as `text` and are then spoilt once or twice. Now and then nothing of it shows. */
export function spoiltOctets(text: string): fc.Arbitrary<SpoiltBody> {
  const whole = { octets: Buffer.from(text), headers: {} }
  const spoil = fc.record({ way: fc.constantFrom(...WAYS), at: fc.nat(), odd: fc.constantFrom(...INSERTIONS) })
  return fc
    .array(spoil, { minLength: 1, maxLength: 2 })
    .map((ways) => ways.reduce<SpoiltBody>((body, { way, at, odd }) => way(body, at, odd), whole))
}

type Way = (body: SpoiltBody, at: number, odd: Buffer) => SpoiltBody

const placeIn = (octets: Buffer, at: number) => (octets.length === 0 ? 0 : at % (octets.length + 1))

const changed =
  (change: (octets: Buffer, at: number, odd: Buffer) => Buffer): Way =>
  (body, at, odd) => ({ ...body, octets: Buffer.from(change(body.octets, placeIn(body.octets, at), odd)) })

const cut = changed((octets, at) => octets.subarray(0, at))
const insert = changed((octets, at, odd) => Buffer.concat([octets.subarray(0, at), odd, octets.subarray(at)]))
const overwrite = changed((octets, at, odd) =>
  Buffer.concat([octets.subarray(0, at), odd.subarray(0, 1), octets.subarray(at + 1)]),
)
const repeat = changed((octets, at) => Buffer.concat([octets, octets.subarray(at)]))
/** A member of the outermost object comes twice. */
const twice = changed((octets) => Buffer.from(octets.toString().replace(/^\{("(?:[^"\\]|\\.)*":)/, '{$10,$1')))
const blanks = changed((octets) => Buffer.concat([Buffer.alloc(70_000, ' '), octets]))
const utf16 = changed((octets) => Buffer.from(octets.toString(), 'utf16le'))
const latin = changed((octets) => Buffer.from(octets.toString(), 'latin1'))

const named =
  (header: string, values: string[]): Way =>
  (body, at) => ({ ...body, headers: { ...body.headers, [header]: values[at % values.length] as string } })

const type = named('content-type', [
  'text/plain',
  'application/json; charset=latin1',
  'application/json; charset="utf-8"',
  'application/json;',
  'application/JSON',
  'application/problem+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json, text/plain',
  '/',
  '*/*',
])
const encoding = named('content-encoding', ['gzip', 'br', 'deflate', 'identity', 'x', ''])

const packed: Way = ({ octets, headers }, at) => {
  const [name, pack] = PACKINGS[at % PACKINGS.length] as (typeof PACKINGS)[number]
  return { octets: Buffer.from(pack(octets)), headers: { ...headers, 'content-encoding': name } }
}
const PACKINGS = [
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
] as const

const WAYS = [cut, insert, insert, insert, overwrite, repeat, twice, blanks, utf16, latin, type, encoding, packed]

const INSERTIONS = [
  ...[
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ' ',
    '\n',
    '0',
    '-',
    '//',
    '/**/',
    "'",
    'NaN',
    'Infinity',
    '1e999',
    '\\u',
  ],
  ...['\u0000', '\\u0000', '\\ud800', '\ufeff', '\u2028', '9'.repeat(1_000), '['.repeat(10_000), '{"":'.repeat(1_000)],
  ...[
    '"__proto__":{},',
    '"constructor":{"prototype":{"x":1}},',
    '0,'.repeat(20_000),
    '"tenantId":"x",',
    'x'.repeat(70_000),
  ],
]
  .map((text) => Buffer.from(text))
  .concat(
    [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x80]].map((octets) => Buffer.from(octets)),
  )
