// Tells whether a webhook request came from the service and is fresh. For receivers: depends on nothing but Node's
// own crypto (20 or newer) and knows nothing of the web framework around it.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a webhook's body holds. Further fields and types may come at any time: ignore those you do not know. */
export interface WebhookEvent {
  /** The same for every repeat of one event: store it under a unique constraint to process each event once. */
  id: string
  type: string
  apiVersion: string
  /** ISO 8601. */
  occurredAt: string
  data: Record<string, unknown>
}

export interface VerifyWebhookInput {
  /** The request's headers: a `Headers` object, or Node's `request.headers`. */
  headers: Headers | Record<string, string | readonly string[] | undefined>
  /** The body exactly as received, before any JSON parsing: a re-serialized body does not verify. */
  body: Uint8Array | string
  /** The endpoint's secret, `whsec_…`. */
  secret: string
  /** How far the signature's time may lie from the receiver's clock, before or after. */
  toleranceSeconds?: number
  /** The receiver's clock. */
  now?: Date
}

export type WebhookVerificationCode =
  /** One of the three headers is absent or empty. */
  | 'missing_header'
  /** The timestamp is not a whole number of seconds. */
  | 'malformed_timestamp'
  /** Signed too long ago, or too far ahead of the receiver's clock. */
  | 'timestamp_out_of_tolerance'
  /** The signature is not `v1=` and 64 lowercase hexadecimal digits. */
  | 'malformed_signature'
  /** Another secret, or another id, timestamp or body than was signed. */
  | 'signature_mismatch'
  /** The signature holds, and the body is no JSON object. */
  | 'invalid_json'

/** A request that must not be acted on: answer 400. `code` says why. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookVerificationCode

  constructor(code: WebhookVerificationCode, message: string) {
    super(message)
    this.code = code
  }
}

const TOLERANCE_SECONDS = 300
const SIGNATURE = /^v1=([0-9a-f]{64})$/
const UNIX_SECONDS = /^\d{1,12}$/

/**
 * Verifies a webhook request by its `Service-Webhook-*` headers and gives the event it carries. For the 24 hours
 * after a rotation, in which that header is signed with the new secret alone, a receiver that still holds the old one
 * is served by the `webhook-signature` header of the same request, which carries both.
 *
 * The verification request sent while an endpoint is being created cannot be verified: its secret is not known yet.
 *
 * @throws WebhookVerificationError when the request must not be trusted
 * @throws TypeError when called wrongly, such as with a body that was parsed already
 */
export function verifyWebhook(input: VerifyWebhookInput): WebhookEvent {
  const { secret, toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = input
  if (typeof secret !== 'string' || !secret.startsWith('whsec_')) {
    throw new TypeError('secret must be the text that begins with whsec_')
  }
  const body = rawBody(input.body)
  const header = (name: string) => headerValue(input.headers, name)

  const id = header('service-webhook-id')
  const timestamp = header('service-webhook-timestamp')
  const signature = header('service-webhook-signature')
  if (!id || !timestamp || !signature) {
    throw new WebhookVerificationError('missing_header', 'The Service-Webhook-Id, -Timestamp or -Signature is missing')
  }
  if (!UNIX_SECONDS.test(timestamp)) {
    throw new WebhookVerificationError('malformed_timestamp', 'The timestamp is not a number of seconds')
  }
  if (!(Math.abs(Math.floor(now.getTime() / 1000) - Number(timestamp)) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `The timestamp differs from this clock by more than ${toleranceSeconds} seconds`,
    )
  }
  const digits = SIGNATURE.exec(signature)?.[1]
  if (!digits) {
    throw new WebhookVerificationError('malformed_signature', 'The signature is not v1= and 64 lowercase hex digits')
  }

  const sign = (key: string | Uint8Array) =>
    createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  const holds =
    timingSafeEqual(sign(secret), Buffer.from(digits, 'hex')) ||
    standardSignatureHolds(header('webhook-signature'), sign(Buffer.from(secret.slice('whsec_'.length), 'base64')))
  if (!holds) {
    throw new WebhookVerificationError('signature_mismatch', 'The signature is not of this secret and this body')
  }
  return parseEvent(body)
}

/** `v1,<base64>` once, or twice with a blank between (Standard Webhooks). The id and time signed are the same ones. */
function standardSignatureHolds(header: string | undefined, expected: Buffer): boolean {
  if (!header) return false
  return header
    .split(' ')
    .filter((entry) => entry.startsWith('v1,'))
    .map((entry) => Buffer.from(entry.slice(3), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}

function rawBody(body: unknown): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body, 'utf8')
  if (body instanceof Uint8Array) return body
  throw new TypeError('body must be the raw request body, a Uint8Array or a string, not what was parsed from it')
}

function headerValue(headers: VerifyWebhookInput['headers'], name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined
  for (const key of Object.keys(headers)) {
    if (key.toLowerCase() !== name) continue
    const value = headers[key]
    return typeof value === 'string' ? value : value?.[0]
  }
  return undefined
}

/** By its shape, because frameworks bring `Headers` classes of their own. */
function isHeaders(headers: VerifyWebhookInput['headers']): headers is Headers {
  return typeof headers.get === 'function'
}

function parseEvent(body: Uint8Array): WebhookEvent {
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    // Told below, like any other JSON that is no event.
  }
  if (typeof event !== 'object' || event === null || Array.isArray(event)) {
    throw new WebhookVerificationError('invalid_json', 'The body is signed and is not a JSON object')
  }
  return event as WebhookEvent
}
