// For which time the Overview counts.
export type Period = 'today' | 'days'

export const PERIODS: readonly (readonly [Period, string])[] = [
  ['today', 'Today'],
  ['days', 'Last 30 days'],
]
