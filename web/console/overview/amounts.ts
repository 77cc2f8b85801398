// How much of a plan is used, as people read it. Pure.

/** In whole percent, 0 without a limit. Rounded down: what is not used up is not said to be. */
export function shareOf(used: number, limit: number | null): number {
  return limit === null || limit === 0 ? 0 : Math.min(100, Math.floor((used * 100) / limit))
}
