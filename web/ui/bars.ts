// How high the bars of a chart stand. Pure.

/** Of the highest. */
const HIGHEST = 40
/** What is not nothing is seen. */
const LOWEST = 2

/** One for each value; 0 for nothing. */
export function heightsOf(values: readonly number[]): number[] {
  const most = Math.max(...values)
  return values.map((value) => (value <= 0 ? 0 : Math.max(LOWEST, (value * HIGHEST) / most)))
}
