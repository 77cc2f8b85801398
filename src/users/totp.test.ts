import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '../lib/secret.ts'
import { makeTotpKey, stepOfCode, totpUri } from './totp.ts'

/** RFC 6238, appendix B: the key "12345678901234567890", and the last six digits of its codes. */
const KEY = new Secret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

for (const [seconds, code] of VECTORS) {
  test(`the code at ${seconds} s is that of the RFC`, () => {
    assert.equal(stepOfCode(KEY, code, seconds * 1000), Math.floor(seconds / 30))
  })
}

test('a code is good one step early and one step late, and no further', () => {
  const [seconds, code] = VECTORS[3] as [number, string]
  const step = Math.floor(seconds / 30)
  for (const [steps, expected] of [
    [-2, undefined],
    [-1, step],
    [1, step],
    [2, undefined],
  ] as const) {
    assert.equal(stepOfCode(KEY, code, (step + steps) * 30_000), expected, `${steps}`)
  }
})

test('blanks are forgiven; anything else than six digits is no code', () => {
  assert.equal(stepOfCode(KEY, ' 287 082 ', 59_000), 1)
  for (const code of ['', '28708', '2870820', '28708x', '٢٨٧٠٨٢'])
    assert.equal(stepOfCode(KEY, code, 59_000), undefined)
})

test('a new key has 160 bits, and the address for apps says whose it is', () => {
  const key = makeTotpKey()
  assert.match(key.reveal(), /^[A-Z2-7]{32}$/)
  const uri = new URL(totpUri(key, 'Mail Developer API', 'ada@example.com'))
  assert.equal(uri.protocol, 'otpauth:')
  assert.equal(uri.searchParams.get('secret'), key.reveal())
  assert.equal(uri.searchParams.get('issuer'), 'Mail Developer API')
})
