// What is known of a list: its rows as far as they were fetched, newest first, each stretch of them from where a page began.
// Pages come from any place in it, and what they say counts for as far as they reach. Pure.
import type { Page, Row } from '../shapes.ts'

export interface Entry {
  /** By which it is told from the others. */
  key: string
  /** Undefined: it was let go of, as it is far from what is looked at. */
  row: Row | undefined
  /** Where a page ended: what goes on behind it. */
  cursor?: string | undefined
  /** How often anything had changed when it was fetched. */
  seen: number
}

export interface Rows {
  entries: readonly Entry[]
  /** What goes on behind the last of them; null: nothing, undefined: nothing was fetched yet. */
  tail: string | null | undefined
  /** How often anything has changed. */
  changes: number
  /** As much of it had been seen when the beginning was fetched. */
  headSeen: number
}

/** A page that is wanted: behind how many entries, and by which cursor; null is the beginning. */
export interface Wanted {
  from: number
  cursor: string | null
}

/** What the view shows: the first and the last that it has on the screen. */
export interface Range {
  first: number
  last: number
}

export const NO_ROWS: Rows = { entries: [], tail: undefined, changes: 0, headSeen: -1 }

/** So many rows beyond what shows are there before they are scrolled to. */
export const ROWS_AHEAD = 100
/** So many rows are kept, and so many on each side of what shows when there are more. */
export const MOST_ROWS_KEPT = 4_000
const KEPT_AROUND = 1_500

/** A message that was found may lie in several mailboxes. */
export const keyOf = ({ id, mailboxId, folder }: Row): string => (folder === undefined ? id : `${id} ${mailboxId}`)

/** What was fetched so far may be so no more. */
export const outdate = (rows: Rows): Rows => ({ ...rows, changes: rows.changes + 1 })

/** What is to be fetched next, the most urgent first: what shows, the beginning, what may be scrolled to. */
export function nextWanted(rows: Rows, { first, last }: Range): Wanted | undefined {
  const { entries, tail, changes, headSeen } = rows
  if (tail === undefined) return { from: 0, cursor: null }
  const shown = indexOfNext(entries, first, last, ({ row, seen }) => row === undefined || seen < changes)
  if (shown !== undefined) return pageWith(entries, shown)
  if (headSeen < changes) return { from: 0, cursor: null }
  const near = indexOfNext(entries, first - ROWS_AHEAD, last + ROWS_AHEAD, ({ row }) => row === undefined)
  if (near !== undefined) return pageWith(entries, near)
  return tail !== null && last + ROWS_AHEAD >= entries.length ? { from: entries.length, cursor: tail } : undefined
}

function indexOfNext(
  entries: readonly Entry[],
  first: number,
  last: number,
  is: (entry: Entry) => boolean,
): number | undefined {
  const end = Math.min(last, entries.length - 1)
  for (let i = Math.max(0, first); i <= end; i++) if (is(entries[i] as Entry)) return i
  return undefined
}

/** The page that begins nearest before an entry. */
function pageWith(entries: readonly Entry[], index: number): Wanted {
  for (let i = index; i > 0; i--) {
    const { cursor } = entries[i - 1] as Entry
    if (cursor !== undefined) return { from: i, cursor }
  }
  return { from: 0, cursor: null }
}

export interface Merged {
  rows: Rows
  /** It reached something that was known; undefined: the page behind it is wanted before the two can be put together. */
  goesOn: Wanted | undefined
}

/** Takes in a page that was asked for behind `from` entries, when so much had changed as `seen` says. */
export function mergePage(rows: Rows, { from }: Wanted, page: Page, seen: number): Merged {
  const ahead = rows.entries.slice(0, from)
  const held = rows.entries.slice(from)
  const fresh: Entry[] = page.items.map((row) => ({ key: keyOf(row), row, seen }))
  const next = { ...rows, headSeen: from === 0 ? seen : rows.headSeen }
  if (page.nextCursor === null)
    return { rows: { ...next, entries: [...ahead, ...fresh], tail: null }, goesOn: undefined }

  const end = fresh.at(-1) ?? ahead.at(-1)
  if (end === fresh.at(-1) && end) end.cursor = page.nextCursor
  else if (end) ahead[ahead.length - 1] = { ...end, cursor: page.nextCursor }
  if (held.length === 0) {
    return { rows: { ...next, entries: [...ahead, ...fresh], tail: page.nextCursor }, goesOn: undefined }
  }
  const reached = lastKnown(held, new Set(fresh.map(({ key }) => key)))
  const rest = held.slice(reached + 1)
  const goesOn = reached < 0 ? { from: from + fresh.length, cursor: page.nextCursor } : undefined
  const tail = rest.length > 0 ? rows.tail : page.nextCursor
  return { rows: { ...next, entries: [...ahead, ...fresh, ...rest], tail }, goesOn }
}

function lastKnown(held: readonly Entry[], wanted: Set<string>): number {
  let last = -1
  let found = 0
  for (let i = 0; i < held.length && found < wanted.size; i++) {
    if (!wanted.has((held[i] as Entry).key)) continue
    last = i
    found++
  }
  return last
}

/** What lies behind a place is fetched anew, as too much has come in before it. */
export function cutOff(rows: Rows, { from, cursor }: Wanted): Rows {
  return { ...rows, entries: rows.entries.slice(0, from), tail: cursor }
}

/** Lets go of what is far from what shows, when there is much of it: the places of the pages stay. */
export function letGo(rows: Rows, { first, last }: Range): Rows {
  const isKept = (i: number) => i >= first - KEPT_AROUND && i <= last + KEPT_AROUND
  let kept = 0
  for (const { row } of rows.entries) if (row) kept++
  if (kept <= MOST_ROWS_KEPT) return rows
  return {
    ...rows,
    entries: rows.entries.map((entry, i) => (isKept(i) || !entry.row ? entry : { ...entry, row: undefined })),
  }
}
