// Argon2id in turns: each hash takes one of libuv's four threads, and files and DNS need the others.
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'

// OWASP's second choice for Argon2id, the library's own algorithm: 19 MiB, two passes, one lane.
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const HASHES_AT_ONCE = 2
/** Of passwords, and of keys that people make, one at a time: a key never waits for more than the hashes that run. */
const PASSWORDS_AT_ONCE = 1

export interface Hasher {
  /** PHC string. */
  hash(secret: string): Promise<string>
  verify(hashed: string, secret: string): Promise<boolean>
  /** How many wait or run. */
  readonly waiting: number
}

export interface HashTurns {
  readonly keys: Hasher
  readonly passwords: Hasher
}

/** One for a process: API keys and passwords take turns. */
export function createHashTurns(): HashTurns {
  const turns = pLimit(HASHES_AT_ONCE)
  const passwordTurns = pLimit(PASSWORDS_AT_ONCE)
  return {
    keys: hasherIn((work) => turns(work)),
    passwords: hasherIn((work) => passwordTurns(() => turns(work))),
  }
}

function hasherIn(inTurn: <T>(work: () => Promise<T>) => Promise<T>): Hasher {
  let waiting = 0
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    waiting++
    try {
      return await inTurn(work)
    } finally {
      waiting--
    }
  }
  return {
    hash: (secret) => counted(() => hash(secret, ARGON2)),
    verify: (hashed, secret) => counted(() => verify(hashed, secret)),
    get waiting() {
      return waiting
    },
  }
}
