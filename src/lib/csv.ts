// Lines of a CSV file (RFC 4180) that whoever opens it in a spreadsheet can trust. Pure.

export type Cell = string | number | boolean | null

/** What a spreadsheet takes for a formula when a cell begins so, in its full-width form too. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const NEEDS_QUOTES = /[",\r\n]/

/** One line with its end. Null is nothing at all. A text that a spreadsheet would run gets an apostrophe in front. */
export function csvLine(cells: readonly Cell[]): string {
  let line = ''
  for (const [i, cell] of cells.entries()) line += i === 0 ? cellText(cell) : `,${cellText(cell)}`
  return `${line}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
