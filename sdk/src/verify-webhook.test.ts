import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { verifyWebhook, WebhookVerificationError } from './verify-webhook.ts'

interface Vector {
  name: string
  expect: string
  secret: string
  now: number
  headers: Record<string, string>
  body: string
}

const { vectors } = JSON.parse(readFileSync(new URL('../test-vectors.json', import.meta.url), 'utf8')) as {
  vectors: Vector[]
}
const [plain] = vectors as [Vector]

for (const vector of vectors) {
  test(`test vector: ${vector.name} → ${vector.expect}`, () => {
    const bodies = [vector.body, Buffer.from(vector.body), new TextEncoder().encode(vector.body)]
    const headers = [vector.headers, lowercase(vector.headers), new Headers(vector.headers)]
    for (const body of bodies) {
      for (const sent of headers) {
        const verify = () => verifyWebhook({ ...input(vector), headers: sent, body })
        if (vector.expect === 'valid') assert.deepEqual(verify(), JSON.parse(vector.body))
        else assert.throws(verify, refusal(vector.expect))
      }
    }
  })
}

test('the time of signing may be as far away as the given tolerance', () => {
  const late = { ...input(plain), now: new Date((plain.now + 11) * 1000) }
  assert.throws(() => verifyWebhook({ ...late, toleranceSeconds: 10 }), refusal('timestamp_out_of_tolerance'))
  assert.equal(verifyWebhook({ ...late, toleranceSeconds: 11 }).type, 'message.delivered')
})

test('without a clock of its own the verifier takes the machine’s', () => {
  const { now: _now, ...rest } = input(plain)
  assert.throws(() => verifyWebhook(rest), refusal('timestamp_out_of_tolerance'))
})

test('a tolerance or clock that is no number accepts nothing', () => {
  assert.throws(() => verifyWebhook({ ...input(plain), toleranceSeconds: Number.NaN }), WebhookVerificationError)
  assert.throws(() => verifyWebhook({ ...input(plain), now: new Date(Number.NaN) }), WebhookVerificationError)
})

test('a body that is not UTF-8 verifies by its octets, and is then reported as no JSON', () => {
  const body = Buffer.concat([Buffer.from('{"id":"'), Buffer.from([0xff]), Buffer.from('"}')])
  const digits = createHmac('sha256', plain.secret).update(`event.${plain.now}.`).update(body).digest('hex')
  const headers = {
    'service-webhook-id': 'event',
    'service-webhook-timestamp': String(plain.now),
    'service-webhook-signature': `v1=${digits}`,
  }
  assert.throws(() => verifyWebhook({ ...input(plain), headers, body }), refusal('invalid_json'))
})

test('a body that was parsed already is a mistake of the caller', () => {
  const parsed = JSON.parse(plain.body) as never
  assert.throws(() => verifyWebhook({ ...input(plain), body: parsed }), TypeError)
})

test('a secret of another kind is a mistake of the caller', () => {
  assert.throws(() => verifyWebhook({ ...input(plain), secret: 'mdk_live_x' }), TypeError)
  assert.throws(() => verifyWebhook({ ...input(plain), secret: undefined as never }), TypeError)
})

test('an empty Standard Webhooks signature never stands in for ours', () => {
  for (const signature of ['', 'v1,', 'v1', ' ', 'v1,AAAA', 'v2,']) {
    const headers = { ...plain.headers, 'webhook-signature': signature }
    const verify = () => verifyWebhook({ ...input(plain), headers, body: `${plain.body} ` })
    assert.throws(verify, refusal('signature_mismatch'), signature)
  }
})

function input(vector: Vector) {
  return {
    headers: vector.headers,
    body: vector.body,
    secret: vector.secret,
    now: new Date(vector.now * 1000),
  }
}

function lowercase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function refusal(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof WebhookVerificationError, String(error))
    assert.equal(error.code, code)
    return true
  }
}
