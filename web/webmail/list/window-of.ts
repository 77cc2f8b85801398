// Which rows of a long list are in the page: those that show and some on each side, as all are of one height. Pure.
import type { Range } from './rows.ts'

/** On each side: what is scrolled to within a moment is there already. */
export const ROWS_AROUND = 16

interface View {
  /** Pixels. */
  scrollTop: number
  height: number
  rowHeight: number
  count: number
}

/** The first and the last that show, at least in part; nothing shows of an empty list. */
export function rangeOf({ scrollTop, height, rowHeight, count }: View): Range {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight)
  const last = Math.ceil((Math.max(0, scrollTop) + height) / rowHeight) - 1
  return { first: within(first, count), last: within(Math.max(first, last), count) }
}

/** Those that are in the page. */
export function windowOf({ first, last }: Range, count: number): Range {
  return { first: within(first - ROWS_AROUND, count), last: within(last + ROWS_AROUND, count) }
}

const within = (index: number, count: number): number => Math.max(0, Math.min(index, count - 1))

/** Where to scroll to, so that a row shows as a whole. */
export function scrollToShow(index: number, { scrollTop, height, rowHeight }: View): number {
  const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight]
  if (top < scrollTop) return top
  return bottom > scrollTop + height ? bottom - height : scrollTop
}

/** Where to scroll to, so that a row that stood at one place of the list and stands at another stays where it was. */
export const scrollToStay = (scrollTop: number, before: number, after: number, rowHeight: number): number =>
  Math.max(0, scrollTop + (after - before) * rowHeight)
