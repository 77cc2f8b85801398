// What comes next on the way from one key of the service to the next, so that nothing is refused meanwhile: every process opens
// with a key before one seals by it, and none goes while something needs it. Pure. specification.md#keys-that-turn

/** Return paths and cursors that the key before has signed are read for so long. specification.md#keys-that-turn */
export const OVERLAP_DAYS = 7
const DAY_MS = 24 * 60 * 60 * 1000

export interface TurningKeys {
  /** In the order of the configuration. */
  versions: readonly number[]
  /** Of the processes that run, in theirs. */
  holders: readonly (readonly number[])[]
  /** How many secrets are sealed by another key than the newest. */
  sealedByOlder: number
  /** Since when the newest seals, if it does. */
  currentSinceMs: number | null
}

export type TurningStep =
  /** A new key is made, which only opens at first. */
  | { kind: 'add'; version: number }
  /** So many processes do not have the keys as they are configured: restart them, one by one. */
  | { kind: 'restart'; processes: number }
  /** All have it: the newest seals from now on. */
  | { kind: 'promote'; version: number }
  | { kind: 'reseal'; secrets: number }
  /** Nothing is sealed by the older keys any more; what they signed may still come back. */
  | { kind: 'wait'; untilMs: number }
  | { kind: 'drop'; versions: number[] }

export function nextStep(
  { versions, holders, sealedByOlder, currentSinceMs }: TurningKeys,
  nowMs: number,
): TurningStep {
  const newest = Math.max(...versions)
  if (versions.length === 1) {
    // One that still has an older key, or not this one, would not open what the next ones seal.
    const others = holders.filter((held) => !held.includes(newest))
    return others.length > 0 ? { kind: 'restart', processes: others.length } : { kind: 'add', version: newest + 1 }
  }
  if (versions[0] !== newest) {
    const without = holders.filter((held) => !held.includes(newest))
    if (without.length > 0) return { kind: 'restart', processes: without.length }
    return { kind: 'promote', version: newest }
  }
  const sealingByOlder = holders.filter((held) => held[0] !== newest)
  if (sealingByOlder.length > 0) return { kind: 'restart', processes: sealingByOlder.length }
  if (sealedByOlder > 0) return { kind: 'reseal', secrets: sealedByOlder }
  const untilMs = (currentSinceMs ?? nowMs) + OVERLAP_DAYS * DAY_MS
  if (nowMs < untilMs) return { kind: 'wait', untilMs }
  return { kind: 'drop', versions: versions.filter((version) => version !== newest) }
}
