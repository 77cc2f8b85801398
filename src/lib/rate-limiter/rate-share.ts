// How much of a limit a process holds ahead of its use, and where a subject stands. Pure. ADR 15

/** What one subject may do. */
export interface Bound {
  /** Requests in a window. */
  most: number
  windowMs: number
}

/** One subject's window as this process knows it. */
export interface Share {
  /** What all processes together had reserved of the window when this one last asked. */
  reserved: number
  /** The part of it that this process holds and has not let through yet. */
  held: number
  /** Let through by this process since its last look at what it holds, and between that and the look before. */
  lately: number
  before: number
}

/** Where a subject stands after its request was counted, or refused. */
export interface Standing {
  limit: number
  remaining: number
  /** Until the window ends; whole seconds, at least 1. */
  resetSeconds: number
  refused: boolean
}

/** What one process holds ahead at most: so much less may pass when it is killed, or while others hold it. */
const MOST_AHEAD_OF_LIMIT = 1 / 100
/** Of what is left: near the limit nothing is held ahead, so that the last requests are exact. */
const MOST_AHEAD_OF_LEFT = 1 / 16

/** How many requests this process should hold ahead: no more than it has let through in the last seconds. */
export function aheadOf({ reserved, lately, before }: Share, most: number): number {
  const left = Math.max(0, most - reserved)
  return Math.floor(Math.min(most * MOST_AHEAD_OF_LIMIT, left * MOST_AHEAD_OF_LEFT, lately + before))
}

/** What is held beyond what the time since the last look had use for. */
export function surplusOf({ held, lately }: Share): number {
  return Math.max(0, held - lately)
}

/** What is left for others and for this process, after so many requests beyond what was reserved. */
export function standing(most: number, used: number, leftMs: number, refused: boolean): Standing {
  const resetSeconds = Math.max(1, Math.ceil(leftMs / 1000))
  return { limit: most, remaining: refused ? 0 : Math.max(0, most - used), resetSeconds, refused }
}
