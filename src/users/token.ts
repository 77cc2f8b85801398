// What is given out once and kept as a hash: links and sessions. Pure but for its random octets.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const TOKEN_OCTETS = 32

export interface Token {
  /** For its holder: 43 characters of base64url. */
  readonly text: string
  /** For us: 32 octets. */
  readonly hash: Buffer
}

/** 256 random bits: nobody finds it by trying, so that a fast hash hides it well enough. */
export function makeToken(): Token {
  const text = randomBytes(TOKEN_OCTETS).toString('base64url')
  return { text, hash: hashToken(text) }
}

export function hashToken(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

export function isTokenOf(text: string, hashed: Buffer): boolean {
  return timingSafeEqual(hashToken(text), hashed)
}
