// How soon what bounced is fetched again by itself, while it is in sight: of a complaint there is no event.
const LOOK_EVERY_MS = 2_000
const ON_A_PAGE = 50

/** The more is shown the less often. */
export const lookAgain = (shown: number): number => LOOK_EVERY_MS * Math.max(1, shown / ON_A_PAGE)
