import assert from 'node:assert/strict'
import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { Secret } from './secret.ts'
import { createSecretBox, deriveKeys, parseSecretKeys, SealError, type SecretKeys } from './secret-box.ts'

const OLD = randomBytes(32).toString('base64')
const NEW = randomBytes(32).toString('base64')
const PLACE = 'webhook_endpoints/0198c0de-0000-7000-8000-000000000001'

test('what was sealed opens for the same place and gives the same text', () => {
  const box = createSecretBox(parseSecretKeys(`1:${OLD}`))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, place) => {
      assert.equal(box.open(box.seal(new Secret(text), place), place).reveal(), text)
    }),
    { numRuns: 200 },
  )
})

test('what is sealed is AES-256-GCM as described: format, key version, 96-bit IV, tag, ciphertext', () => {
  const sealed = createSecretBox(parseSecretKeys(`7:${OLD}`)).seal(new Secret('whsec_x'), PLACE)
  assert.equal(sealed[0], 1)
  assert.equal(sealed.readUInt32BE(1), 7)
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(OLD, 'base64'), '', 'mdk/secret-box', 32))
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(5, 17))
  decipher.setAAD(Buffer.concat([sealed.subarray(0, 5), Buffer.from(PLACE)])).setAuthTag(sealed.subarray(17, 33))
  assert.equal(Buffer.concat([decipher.update(sealed.subarray(33)), decipher.final()]).toString(), 'whsec_x')
})

test('each sealing takes a fresh IV', () => {
  const box = createSecretBox(parseSecretKeys(`1:${OLD}`))
  const ivs = Array.from({ length: 100 }, () => box.seal(new Secret('same'), PLACE).subarray(5, 17).toString('hex'))
  assert.equal(new Set(ivs).size, 100)
})

test('what is sealed does not open for another place', () => {
  const box = createSecretBox(parseSecretKeys(`1:${OLD}`))
  const sealed = box.seal(new Secret('text'), PLACE)
  assert.throws(() => box.open(sealed, `${PLACE}0`), SealError)
})

test('what is sealed does not open with any single bit changed', () => {
  const box = createSecretBox(parseSecretKeys(`2:${NEW},1:${OLD}`))
  const sealed = box.seal(new Secret('text'), PLACE)
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const damaged = Buffer.from(sealed)
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7))
    assert.throws(() => box.open(damaged, PLACE), SealError, `bit ${bit}`)
  }
})

test('what is sealed does not open when it is cut short at any length', () => {
  const box = createSecretBox(parseSecretKeys(`1:${OLD}`))
  const sealed = box.seal(new Secret('text'), PLACE)
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => box.open(sealed.subarray(0, length), PLACE), SealError, `length ${length}`)
  }
})

test('the first key seals, every key opens, and what an older key sealed is known as not current', () => {
  const before = createSecretBox(parseSecretKeys(`1:${OLD}`))
  const after = createSecretBox(parseSecretKeys(`2:${NEW},1:${OLD}`))
  const old = before.seal(new Secret('text'), PLACE)
  const fresh = after.seal(new Secret('text'), PLACE)
  assert.equal(after.open(old, PLACE).reveal(), 'text')
  assert.equal(after.isCurrent(old), false)
  assert.equal(after.isCurrent(fresh), true)
  assert.throws(() => before.open(fresh, PLACE), /key version 2/)
})

test('the same version with another key does not open', () => {
  const sealed = createSecretBox(parseSecretKeys(`1:${OLD}`)).seal(new Secret('text'), PLACE)
  assert.throws(() => createSecretBox(parseSecretKeys(`1:${NEW}`)).open(sealed, PLACE), SealError)
})

test('derived keys differ by purpose and by version and are the same each time', () => {
  const keys = parseSecretKeys(`2:${NEW},1:${OLD}`)
  const bytes = (list: SecretKeys) => list.map(({ version, key }) => `${version}:${key.export().toString('hex')}`)
  assert.deepEqual(bytes(deriveKeys(keys, 'return-path')), bytes(deriveKeys(keys, 'return-path')))
  assert.deepEqual(
    deriveKeys(keys, 'return-path').map(({ version }) => version),
    [2, 1],
  )
  const all = [...bytes(keys), ...bytes(deriveKeys(keys, 'return-path')), ...bytes(deriveKeys(keys, 'cursor'))].map(
    (text) => text.split(':')[1],
  )
  assert.equal(new Set(all).size, 6)
})

const REFUSED: readonly [name: string, text: string, reason: RegExp][] = [
  ['an empty text', '', /entry 1/],
  ['a key without version', OLD, /entry 1/],
  ['version zero', `0:${OLD}`, /entry 1/],
  ['a leading zero', `01:${OLD}`, /entry 1/],
  ['a version beyond 32 bits', `4294967296:${OLD}`, /above/],
  ['31 octets', `1:${randomBytes(31).toString('base64')}`, /31 octets/],
  ['33 octets', `1:${randomBytes(33).toString('base64')}`, /33 octets/],
  ['a stray character', `1:${OLD.slice(0, -2)}*=`, /entry 1/],
  ['a trailing comma', `1:${OLD},`, /entry 2/],
  ['one version twice', `1:${OLD},1:${NEW}`, /twice/],
]
for (const [name, text, reason] of REFUSED) {
  test(`keys with ${name} are refused without being shown`, () => {
    assert.throws(
      () => parseSecretKeys(text),
      (error: Error) => {
        assert.match(error.message, reason)
        assert.ok(!error.message.includes(OLD.slice(0, 20)))
        return true
      },
    )
  })
}

test('keys do not show when they are printed', () => {
  const shown =
    inspect(parseSecretKeys(`1:${OLD}`), { depth: 9, showHidden: true }) + JSON.stringify(parseSecretKeys(`1:${OLD}`))
  assert.ok(!shown.includes(OLD))
  assert.ok(!shown.includes(Buffer.from(OLD, 'base64').toString('hex')))
})
