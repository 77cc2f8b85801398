// Lines of a CSV file (RFC 4180) that whoever opens it in a spreadsheet can trust. Pure.

export type Cell = string | number | boolean | null

/**
 * Where a cell begins with what a spreadsheet takes for a formula, in its full-width form too. Where the country's numbers
 * have a comma of their own, it parts the file at semicolons instead, and knows no quotation mark within a cell: what stands
 * behind one of these, be it quoted, is the beginning of a cell there.
 */
const FORMULA = /^(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])|(?<=[;\t\r\n]"*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const NEEDS_QUOTES = /[",\r\n]/

/** One line with its end. Null is nothing at all. What a spreadsheet would run in a text gets an apostrophe in front. */
export function csvLine(cells: readonly Cell[]): string {
  let line = ''
  for (const [i, cell] of cells.entries()) line += i === 0 ? cellText(cell) : `,${cellText(cell)}`
  return `${line}\r\n`
}

function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell !== 'string') return String(cell)
  const text = cell.replace(FORMULA, "'")
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
