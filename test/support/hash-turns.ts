// The turns of hashes of a test's process.
import { createHashTurns } from '../../src/lib/hash-turns.ts'

export const hashTurns = createHashTurns()
export const { keys: keyHasher, passwords: hasher } = hashTurns
