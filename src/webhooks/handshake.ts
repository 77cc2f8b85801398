// Asks an endpoint to prove that it wants what it will be sent, before anything is stored.
// specification.md#handshake
import { randomBytes } from 'node:crypto'
import { type Problem, problem } from '../access/problem.ts'
import { databaseTime, unixSeconds } from '../lib/database-clock.ts'
import type { Network } from '../lib/network.ts'
import type { Outcome } from '../lib/public-fetch/exchange.ts'
import { checkUrl } from '../lib/public-fetch/url.ts'
import type { PublicFetch } from '../lib/public-fetch.ts'
import type { Secret } from '../lib/secret.ts'
import type { Db } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import { answerText } from './answer-text.ts'
import { API_VERSION, DELIVERY_HEADERS, deliveryBody, VERIFICATION_TYPE } from './delivery-body.ts'
import { attemptFrom } from './delivery-state.ts'
import { signatureHeaders, signingKey } from './signature.ts'

export interface HandshakeDeps {
  /** For its clock. */
  database: Db
  publicFetch: Pick<PublicFetch, 'post'>
  /** What may be reached although not public. */
  webhookAllow: readonly Network[]
}

/** @throws Problem webhook_url_invalid when the URL could never be delivered to */
export function checkEndpointUrl(url: string, allow: readonly Network[]): void {
  const check = checkUrl(url, allow)
  if (!check.ok) throw invalidUrl(check.message)
}

/**
 * Posts a challenge and resolves when it comes back. The signature is the coming secret's, which the receiver cannot
 * know yet.
 * @throws Problem webhook_url_invalid, webhook_verification_failed
 */
export async function verifyEndpoint(
  deps: HandshakeDeps,
  url: string,
  endpointId: Uuid,
  secret: Secret,
): Promise<void> {
  checkEndpointUrl(url, deps.webhookAllow)
  const now = await databaseTime(deps.database)
  const challenge = randomBytes(32).toString('base64url')
  const id = newId()
  const body = deliveryBody({
    id,
    type: VERIFICATION_TYPE,
    apiVersion: API_VERSION,
    occurredAt: now.toISOString(),
    data: JSON.stringify({ object: 'webhook_endpoint', id: endpointId, challenge }),
  })
  const timestamp = unixSeconds(now)
  const headers = { ...DELIVERY_HEADERS, ...signatureHeaders({ id, timestamp, body }, [signingKey(secret)]) }
  const fault = faultOf(await deps.publicFetch.post(url, { headers, body }), challenge)
  if (fault) throw fault
}

function faultOf(outcome: Outcome, challenge: string): Problem | undefined {
  if (outcome.kind === 'unsafe_address') return invalidUrl(outcome.detail)
  const failed = (reason: string, what: string) => verificationFailed(outcome, reason, what)
  if (outcome.kind !== 'response') return failed(outcome.kind, outcome.detail)
  const attempt = attemptFrom(outcome)
  if (attempt.kind === 'failed') return failed(attempt.error, `answered ${outcome.status} instead of 2xx`)
  if (outcome.isCut) return failed('answer_too_long', 'its answer is longer than 64 KiB')
  const answer = parse(outcome.body)
  if (answer === undefined) return failed('invalid_json', 'did not answer with JSON')
  if ((answer as { challenge?: unknown } | null)?.challenge !== challenge) {
    return failed('wrong_challenge', 'did not answer with {"challenge": <the value of data.challenge>}')
  }
  return undefined
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

function invalidUrl(reason: string): Problem {
  return problem('webhook_url_invalid', {
    message: `The webhook URL cannot be used: it ${reason.replace(/^the URL /, '')}.`,
    details: { field: 'url', reason },
  })
}

function verificationFailed(outcome: Outcome, reason: string, what: string): Problem {
  const statusCode = 'status' in outcome ? outcome.status : null
  return problem('webhook_verification_failed', {
    message: `The endpoint did not pass verification: ${what}.`,
    details: { reason, statusCode, answer: answerText(outcome) },
  })
}
