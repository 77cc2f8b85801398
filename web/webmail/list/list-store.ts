// One list as the page knows it: fetches what shows and a little more, one page at a time, again when something has changed, and
// keeps over it what was done here. Knows nothing of how it is shown, nor of what may be done.
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Page, Row } from '../shapes.ts'
import {
  type Change,
  hasLeft,
  lay,
  lift,
  liftKnown,
  NOTHING_LAID,
  type Overlay,
  seenThrough,
  settle,
} from './overlay.ts'
import {
  cutOff,
  type Entry,
  keyOf,
  letGo,
  mergePage,
  NO_ROWS,
  nextWanted,
  outdate,
  type Range,
  type Rows,
  type Wanted,
} from './rows.ts'

/** So many pages are fetched until they reach something that was known; else the list begins anew. */
const MOST_PAGES_BETWEEN = 4
/** A page looks through so much at most. So many that found next to nothing are followed by another only when that is asked for. */
const MOST_LEAN_PAGES = 5
const LEAN_ROWS = 5

export interface Shown {
  /** What shows, in its order; `row` is undefined where it is being fetched again. */
  entries: readonly Entry[]
  /** There is more behind them. */
  goesOn: boolean
  /** Nothing was fetched yet. */
  isEmptyYet: boolean
  /** Much was looked through and little found: `more` looks further. */
  isPaused: boolean
  /** So many came in at the beginning since `seeTop`. */
  arrived: number
  ignored: readonly string[]
  isIndexing: boolean
  /** Why the last page could not be had. */
  fault: Error | undefined
}

export interface ListStore {
  readonly shown: ReadonlySignal<Shown>
  /** What the user has chosen, by key. */
  readonly chosen: { value: ReadonlySet<string> }
  /** The row that keys act on; undefined: none yet. */
  readonly cursor: { value: string | undefined }
  /** Where it was scrolled to, in pixels. */
  scrollTop: number
  row(key: string): Row | undefined
  /** The view shows these. */
  show(range: Range): void
  /** Something has changed somewhere. */
  changed(): void
  /** The beginning shows. */
  seeTop(): void
  /** Looks further, where it has paused. */
  more(): void
  again(): void
  /** Begins as if nothing had been fetched. */
  forget(): void
  lay(keys: Iterable<string>, change: Change): void
  settle(keys: Iterable<string>): void
  lift(keys: Iterable<string>): void
}

export function createListStore(fetchPage: (cursor: string | null) => Promise<Page>): ListStore {
  let rows: Rows = NO_ROWS
  let overlay: Overlay = NOTHING_LAID
  let range: Range | undefined
  let isFetching = false
  let fault: Error | undefined
  let ignored: readonly string[] = []
  let isIndexing = false
  /** Counts requests, and what the server has done between them. */
  let now = 0
  let leanPages = 0
  let begun = 0
  /** The first row that was seen at the beginning. */
  let top: string | undefined
  let made: { of: readonly Entry[]; under: Overlay; entries: readonly Entry[] } | undefined
  const shown = signal<Shown>(shownNow())
  const chosen = signal<ReadonlySet<string>>(new Set())
  const cursor = signal<string | undefined>(undefined)

  function shownNow(): Shown {
    const entries = entriesNow()
    return {
      entries,
      goesOn: rows.tail !== null && rows.tail !== undefined,
      isEmptyYet: rows.tail === undefined,
      isPaused: leanPages >= MOST_LEAN_PAGES,
      arrived:
        top === undefined
          ? 0
          : Math.max(
              0,
              entries.findIndex(({ key }) => key === top),
            ),
      ignored,
      isIndexing,
      fault,
    }
  }

  /** The same as before while nothing of it has changed. */
  function entriesNow(): readonly Entry[] {
    if (overlay.size === 0) return rows.entries
    if (made?.of !== rows.entries || made.under !== overlay) {
      const entries = rows.entries.filter(({ key }) => !hasLeft(overlay, key)).map(seen)
      made = { of: rows.entries, under: overlay, entries }
    }
    return made.entries
  }

  function seen(entry: Entry): Entry {
    if (!entry.row || !overlay.has(entry.key)) return entry
    return { ...entry, row: seenThrough(overlay, entry.key, entry.row) }
  }

  function tell(): void {
    shown.value = shownNow()
  }

  async function fetchWanted(): Promise<void> {
    let wanted = isFetching ? undefined : next()
    if (!wanted) return
    isFetching = true
    try {
      for (; wanted; wanted = next()) await fetchUntilKnown(wanted)
    } catch (error) {
      fault = error as Error
      // What may not be seen any more is not shown any more.
      const { status } = error as { status?: number }
      if (status === 403 || status === 404)
        rows = { ...NO_ROWS, tail: null, headSeen: rows.changes, changes: rows.changes }
    }
    isFetching = false
    tell()
  }

  function next(): Wanted | undefined {
    if (!range || fault !== undefined) return undefined
    const wanted = nextWanted(rows, withThoseThatLeft(range))
    const isBehindAll = wanted !== undefined && wanted.cursor !== null && wanted.from === rows.entries.length
    return isBehindAll && leanPages >= MOST_LEAN_PAGES ? undefined : wanted
  }

  /** The same, counted among all that were fetched. */
  function withThoseThatLeft({ first, last }: Range): Range {
    if (overlay.size === 0) return { first, last }
    let there = -1
    let begin: number | undefined
    for (const [i, { key }] of rows.entries.entries()) {
      if (!hasLeft(overlay, key)) there++
      if (there === first) begin ??= i
      if (there === last) return { first: begin ?? i, last: i }
    }
    return { first: begin ?? rows.entries.length, last: rows.entries.length }
  }

  async function fetchUntilKnown(first: Wanted): Promise<void> {
    let wanted: Wanted | undefined = first
    for (let pages = 0; wanted; pages++) {
      if (pages === MOST_PAGES_BETWEEN) {
        rows = cutOff(rows, wanted)
        break
      }
      const askedAt = ++now
      const seen = rows.changes
      const inBeginning = begun
      const page = await fetchPage(wanted.cursor)
      if (inBeginning !== begun) return
      if (wanted.from === rows.entries.length) leanPages = page.items.length < LEAN_ROWS ? leanPages + 1 : 0
      const merged = mergePage(rows, wanted, page, seen)
      rows = range ? letGo(merged.rows, range) : merged.rows
      overlay = liftKnown(overlay, page.items.map(keyOf), askedAt)
      if (wanted.cursor === null) {
        ignored = page.ignored ?? []
        isIndexing = page.indexing ?? false
        top ??= page.items.length > 0 ? (rows.entries[0]?.key ?? '') : undefined
      }
      wanted = merged.goesOn
      if (!wanted) tell()
    }
  }

  return {
    shown,
    chosen,
    cursor,
    scrollTop: 0,
    row(key) {
      const entry = rows.entries.find((each) => each.key === key)
      return entry && seen(entry).row
    },
    show(next) {
      range = next
      void fetchWanted()
    },
    changed() {
      rows = outdate(rows)
      if (fault !== undefined) fault = undefined
      void fetchWanted()
    },
    seeTop() {
      const first = shown.value.entries[0]?.key
      if (first === undefined || first === top) return
      top = first
      tell()
    },
    again() {
      fault = undefined
      rows = outdate(rows)
      tell()
      void fetchWanted()
    },
    more() {
      leanPages = 0
      void fetchWanted()
    },
    forget() {
      // A page that is on its way was asked for before.
      begun++
      rows = { ...NO_ROWS, changes: rows.changes + 1 }
      overlay = NOTHING_LAID
      chosen.value = new Set()
      fault = undefined
      tell()
      void fetchWanted()
    },
    lay(keys, change) {
      const leaving = change === 'left' ? new Set(keys) : undefined
      if (leaving && cursor.value !== undefined && leaving.has(cursor.value)) {
        cursor.value = nearest(shown.value.entries, cursor.value, leaving)
      }
      overlay = lay(overlay, keys, change)
      tell()
      if (leaving) void fetchWanted()
    },
    settle(keys) {
      overlay = settle(overlay, keys, ++now)
    },
    lift(keys) {
      overlay = lift(overlay, keys)
      tell()
    },
  }
}

/** The next row that stays, or else the one before. */
export function nearest(entries: readonly Entry[], key: string, leaving: ReadonlySet<string>): string | undefined {
  const at = entries.findIndex((each) => each.key === key)
  const stays = (each: Entry) => !leaving.has(each.key)
  return (entries.slice(at + 1).find(stays) ?? entries.slice(0, Math.max(at, 0)).findLast(stays))?.key
}
