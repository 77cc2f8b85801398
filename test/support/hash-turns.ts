// The hashes of a test's process. What it makes is Argon2id that takes a fraction of a millisecond, because tests make keys
// by the thousand; whoever verifies a hash takes its cost from the hash itself, as always.
import { hash } from '@node-rs/argon2'
import { createHashTurns, type Hasher } from '../../src/lib/hash-turns.ts'

const LIGHT = { memoryCost: 64, timeCost: 1, parallelism: 1 }

const turns = createHashTurns()
export const hashTurns = { keys: lightly(turns.keys), passwords: lightly(turns.passwords) }
export const { keys: keyHasher, passwords: hasher } = hashTurns

function lightly(hasher: Hasher): Hasher {
  return {
    hash: (secret) => hash(secret, LIGHT),
    verify: hasher.verify,
    get waiting() {
      return hasher.waiting
    },
  }
}
