// Signs a delivery's body bytes for its receiver, in the two forms one secret serves. Knows nothing of where the
// secret is kept or how the request travels. specification.md#signature-of-a-delivery;
// the Standard Webhooks specification, https://www.standardwebhooks.com.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { Secret } from '../lib/secret.ts'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32
const SECRET_FORM = /^whsec_[A-Za-z0-9+/]{43}=$/

/** A secret made ready to sign with: once for each endpoint, not for each delivery. */
export interface SigningKey {
  /** Over the octets of the whole `whsec_…` text, for `Service-Webhook-Signature`. */
  readonly service: KeyObject
  /** Over what the text's tail decodes to, for `webhook-signature`. */
  readonly standard: KeyObject
}

/** Newest first. The second is the one that a rotation has replaced, for as long as both hold. */
export type SigningKeys = readonly [SigningKey] | readonly [SigningKey, SigningKey]

export interface SignedContent {
  /** The event's id: the same in every attempt and replay, so that a receiver recognises repeats. */
  readonly id: string
  /** Unix seconds at which this attempt was signed. */
  readonly timestamp: number
  /** The octets that will be sent. */
  readonly body: Uint8Array
}

/** A new endpoint's secret: `whsec_` and the base64 of 32 random octets. */
export function makeWebhookSecret(random: Uint8Array = randomBytes(SECRET_BYTES)): Secret {
  return new Secret(SECRET_PREFIX + Buffer.from(random).toString('base64'))
}

/** Readies a secret that `makeWebhookSecret` made. @throws Error when it has another form, without showing it. */
export function signingKey(secret: Secret): SigningKey {
  const text = secret.reveal()
  if (!SECRET_FORM.test(text)) throw new Error('Not a webhook secret: whsec_ and the base64 of 32 octets are expected')
  return {
    service: createSecretKey(text, 'utf8'),
    standard: createSecretKey(text.slice(SECRET_PREFIX.length), 'base64'),
  }
}

/**
 * The headers that prove who sent these octets and when. While two secrets hold, ours carries the newer one's
 * signature and the Standard Webhooks header both. specification.md#rotation-of-a-secret
 */
export function signatureHeaders(content: SignedContent, keys: SigningKeys): Record<string, string> {
  const timestamp = String(content.timestamp)
  const signed = `${content.id}.${timestamp}.`
  const sign = (key: KeyObject, encoding: 'hex' | 'base64') =>
    createHmac('sha256', key).update(signed).update(content.body).digest(encoding)
  return {
    'Service-Webhook-Id': content.id,
    'Service-Webhook-Timestamp': timestamp,
    'Service-Webhook-Signature': `v1=${sign(keys[0].service, 'hex')}`,
    'webhook-id': content.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => `v1,${sign(key.standard, 'base64')}`).join(' '),
  }
}
