import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../sdk/src/verify-webhook.ts'
import { Secret } from '../lib/secret.ts'
import { makeWebhookSecret, type SigningKeys, signatureHeaders, signingKey } from './signature.ts'

interface Vector {
  name: string
  expect: string
  secret: string
  headers: Record<string, string>
  body: string
}

const { vectors } = JSON.parse(readFileSync(new URL('../../sdk/test-vectors.json', import.meta.url), 'utf8')) as {
  vectors: Vector[]
}

const OURS = 'Service-Webhook-Signature'

for (const vector of vectors.filter(({ expect, name }) => expect === 'valid' && !name.includes('rotation'))) {
  test(`the published test vector is what we sign: ${vector.name}`, () => {
    assert.deepEqual(signatureHeaders(contentOf(vector), [signingKey(new Secret(vector.secret))]), vector.headers)
  })
}

test('the published test vectors of a rotation are what we sign with two secrets', () => {
  const [fresh, old] = vectors.filter(({ expect, name }) => expect === 'valid' && name.includes('rotation'))
  assert.ok(fresh && old)
  const keys: SigningKeys = [signingKey(new Secret(fresh.secret)), signingKey(new Secret(old.secret))]
  assert.deepEqual(signatureHeaders(contentOf(fresh), keys), fresh.headers)
  assert.deepEqual(fresh.headers, old.headers)
})

test('the standardwebhooks package verifies what we sign, with either secret during a rotation', () => {
  const [fresh, old, foreign] = [makeWebhookSecret(), makeWebhookSecret(), makeWebhookSecret()]
  const body = Buffer.from(JSON.stringify({ type: 'message.sent', data: { subject: 'Grüße 👋' } }))
  const headers = signatureHeaders({ id: 'event', timestamp: Math.floor(Date.now() / 1000), body }, [
    signingKey(fresh),
    signingKey(old),
  ])
  for (const secret of [fresh, old]) {
    assert.deepEqual(new Webhook(secret.reveal()).verify(body, headers), JSON.parse(body.toString()))
  }
  assert.throws(() => new Webhook(foreign.reveal()).verify(body, headers), /No matching signature/)
})

test('our verifier accepts whatever we sign, and nothing else', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.json(), fc.nat(2 ** 31), fc.nat(), (id, json, timestamp, flip) => {
      const secret = makeWebhookSecret()
      const body = Buffer.from(`{"data":${json}}`)
      const headers = signatureHeaders({ id, timestamp, body }, [signingKey(secret)])
      const request = { headers, secret: secret.reveal(), now: new Date(timestamp * 1000) }
      assert.deepEqual(verifyWebhook({ ...request, body }), JSON.parse(body.toString()))
      const changed = Buffer.from(body)
      const at = flip % body.length
      changed[at] = (changed[at] as number) ^ 1
      assert.throws(() => verifyWebhook({ ...request, body: changed }), { code: 'signature_mismatch' })
    }),
  )
})

test('during a rotation our own header is signed with the newer secret alone', () => {
  const [fresh, old] = [signingKey(makeWebhookSecret()), signingKey(makeWebhookSecret())]
  const content = { id: 'event', timestamp: 1, body: Buffer.from('{}') }
  assert.equal(signatureHeaders(content, [fresh, old])[OURS], signatureHeaders(content, [fresh])[OURS])
  assert.notEqual(signatureHeaders(content, [old])[OURS], signatureHeaders(content, [fresh])[OURS])
})

test('secrets are made anew each time, in the form that signs', () => {
  const made = Array.from({ length: 50 }, () => makeWebhookSecret().reveal())
  assert.equal(new Set(made).size, 50)
  for (const text of made) assert.match(text, /^whsec_[A-Za-z0-9+/]{43}=$/)
})

test('a secret of another form is refused without being shown', () => {
  for (const text of ['', 'whsec_', `whsec_${'A'.repeat(40)}`, `whsec_${'A'.repeat(44)}`, 'A'.repeat(50)]) {
    assert.throws(
      () => signingKey(new Secret(text)),
      (error: Error) => error.message.startsWith('Not a webhook secret') && !error.message.includes('AAAA'),
    )
  }
})

function contentOf(vector: Vector) {
  return {
    id: vector.headers['Service-Webhook-Id'] as string,
    timestamp: Number(vector.headers['Service-Webhook-Timestamp']),
    body: Buffer.from(vector.body),
  }
}
