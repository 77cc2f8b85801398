// How the fuzz tests run: how much they throw, from what seed, and what they say when something fails.
import fc from 'fast-check'

/** In all fuzz tests together: FUZZ_REQUESTS, which `npm run test:fuzz` sets, or a few. */
export const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_500)

/** FUZZ_SEED. Otherwise many throw something new each time, and a few the same: they fail for a change, not by chance. */
export const SEED = Number(process.env.FUZZ_SEED ?? (process.env.FUZZ_REQUESTS ? Date.now() % 2 ** 31 : 1))

/**
 * Throws `runs` of them. `property`: its number among those of a file, for each to throw something else.
 * @throws Error with the seed and the smallest of those that fail
 */
export function hold<T>(
  property: number,
  thrown: fc.Arbitrary<T>,
  runs: number,
  check: (each: T) => Promise<void>,
): Promise<void> {
  const options = { seed: SEED + property, numRuns: Math.ceil(runs), includeErrorInReport: true }
  return fc.assert(fc.asyncProperty(thrown, check), options)
}
