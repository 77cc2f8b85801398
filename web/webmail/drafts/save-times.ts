// When a draft is saved, and when what did not go through is tried again. Pure: times are in ms, and chance comes in.

/** So long after typing rests. */
const REST_MS = 800
/** While it does not rest, so long after the first change that is not saved. */
const LONGEST_MS = 1_800

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15_000

export function savesAt(firstChange: number, latestChange: number): number {
  return Math.min(latestChange + REST_MS, firstChange + LONGEST_MS)
}

/** Twice as long each time, and by up to a quarter more. `failures`: in a row, the first is 1. */
export function retryWait(failures: number, random: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS) * (1 + random / 4)
}
