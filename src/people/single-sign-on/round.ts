// One round to a provider and back: what the browser keeps of it meanwhile, sealed, so that the answer counts in the browser
// that asked and nowhere else. Knows no HTTP.
import { randomBytes } from 'node:crypto'
import { Secret } from '../../lib/secret.ts'
import { SealError, type SecretBox } from '../../lib/secret-box.ts'
import type { Uuid } from '../../lib/uuid.ts'

export type RoundPurpose =
  | { kind: 'sign_in' }
  /** Takes an invitation up. */
  | { kind: 'invitation'; token: string }
  /** Somebody who is signed in adds the identity to what they can sign in with. */
  | { kind: 'link'; personId: Uuid; sessionId: Uuid }
  /** Somebody whom the provider has vouched for proves again who they are. */
  | { kind: 'prove'; personId: Uuid; sessionId: Uuid }

export interface Round {
  tenantId: Uuid
  purpose: RoundPurpose
  /** The path that the browser is to go to in the end. */
  to: string
  begunAtMs: number
  state: string
  nonce: string
  /** RFC 7636. */
  verifier: string
}

/** As long as somebody may take to sign in at the provider. */
export const ROUND_SECONDS = 600
const PLACE = 'single_sign_on_round'

export function makeRound(about: Pick<Round, 'tenantId' | 'purpose' | 'to'>, nowMs: number): Round {
  return { ...about, begunAtMs: nowMs, state: randomText(), nonce: randomText(), verifier: randomText() }
}

/** What the browser keeps: base64url. */
export function sealRound(box: SecretBox, round: Round): string {
  return box.seal(new Secret(JSON.stringify(round)), PLACE).toString('base64url')
}

/** Undefined when it was not sealed here, or is too old. */
export function openRound(box: SecretBox, sealed: string, nowMs: number): Round | undefined {
  const round = read(box, sealed)
  return round && nowMs - round.begunAtMs < ROUND_SECONDS * 1000 ? round : undefined
}

function read(box: SecretBox, sealed: string): Round | undefined {
  try {
    return JSON.parse(box.open(Buffer.from(sealed, 'base64url'), PLACE).reveal())
  } catch (error) {
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** 256 bits in 43 characters. */
function randomText(): string {
  return randomBytes(32).toString('base64url')
}
