// What was done here and may not be in what was fetched yet: rows that have left, and what others are now. It lies over what
// is fetched until a page that was asked for after the server had done it says how things are. Pure.
import type { Row } from '../shapes.ts'

export type Change = 'left' | Partial<Pick<Row, 'isRead' | 'isStarred' | 'folder'>>

interface Laid {
  change: Change
  /** When the server had done it, as requests are counted; undefined: it is still being done. */
  doneAt: number | undefined
}

/** By the row's key. */
export type Overlay = ReadonlyMap<string, Laid>

export const NOTHING_LAID: Overlay = new Map()

export function lay(overlay: Overlay, keys: Iterable<string>, change: Change): Overlay {
  const next = new Map(overlay)
  for (const key of keys) next.set(key, { change: joined(next.get(key)?.change, change), doneAt: undefined })
  return next
}

const joined = (before: Change | undefined, change: Change): Change =>
  change === 'left' || before === undefined || before === 'left' ? change : { ...before, ...change }

/** The server has done it: pages that are asked for from now on know of it. */
export function settle(overlay: Overlay, keys: Iterable<string>, now: number): Overlay {
  const next = new Map(overlay)
  for (const key of keys) {
    const laid = next.get(key)
    if (laid) next.set(key, { ...laid, doneAt: now })
  }
  return next
}

/** It was refused, or taken back. */
export function lift(overlay: Overlay, keys: Iterable<string>): Overlay {
  const next = new Map(overlay)
  for (const key of keys) next.delete(key)
  return next
}

/** A page that was asked for at `askedAt` has these: what was done before is in them. */
export function liftKnown(overlay: Overlay, keys: Iterable<string>, askedAt: number): Overlay {
  if (overlay.size === 0) return overlay
  const next = new Map(overlay)
  for (const key of keys) {
    const laid = next.get(key)
    if (laid?.doneAt !== undefined && laid.doneAt < askedAt) next.delete(key)
  }
  return next.size === overlay.size ? overlay : next
}

export const hasLeft = (overlay: Overlay, key: string): boolean => overlay.get(key)?.change === 'left'

/** As it is now. */
export function seenThrough(overlay: Overlay, key: string, row: Row): Row {
  const change = overlay.get(key)?.change
  return change === undefined || change === 'left' ? row : { ...row, ...change }
}
