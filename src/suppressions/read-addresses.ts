// Reads addresses from text that comes piece by piece: one a line, or a CSV file (RFC 4180) with a column of them. Pure but for
// where the text comes from.

/** Of a line, and of a record that goes over several: what an open quotation mark swallows stays small. */
const MOST_CHARACTERS = 10_000

export type TextPieces = AsyncIterable<string> | Iterable<string>

/** What stands in the place of an address. */
export interface FoundAddress {
  /** Where it begins, from 1 on. */
  line: number
  /** Without white space around it; undefined where the line is too long to be read. */
  text: string | undefined
}

/** How a column of addresses is called. */
const COLUMN = /^(?:e-?mail(?:[ _-]?address)?|address|recipient)$/i

/**
 * Those of the column `email` (or `address`, `recipient`) where the first line names one; else the first cell of each line.
 * Blank ones are passed over.
 */
export async function* readAddresses(pieces: TextPieces): AsyncGenerator<FoundAddress> {
  let header: { delimiter: string; column: number; isNamed: boolean } | undefined
  let record: FoundAddress = { line: 0, text: '' }
  let line = 0
  let isOpen = false
  for await (const text of readLines(pieces)) {
    line += 1
    if (!header) {
      header = headerOf(text)
      if (header.isNamed) continue
    }
    record = isOpen ? { ...record, text: `${record.text}\n${text}` } : { line, text }
    // Only a file with named columns quotes what goes over several lines.
    isOpen = header.isNamed && !isTooLong(record) && hasOpenQuote(record.text ?? '')
    if (!isOpen) yield* addressOf(record, header)
  }
  if (isOpen && header) yield* addressOf(record, header)
}

function headerOf(text: string): { delimiter: string; column: number; isNamed: boolean } {
  const delimiter = /[,;\t]/.exec(text)?.[0] ?? ','
  const named = cellsOf(text, delimiter).findIndex((cell) => COLUMN.test(cell.trim()))
  return { delimiter, column: Math.max(0, named), isNamed: named >= 0 }
}

const isTooLong = ({ text = '' }: FoundAddress): boolean => text.length > MOST_CHARACTERS

const hasOpenQuote = (text: string): boolean => text.split('"').length % 2 === 0

function* addressOf(
  record: FoundAddress,
  { delimiter, column }: { delimiter: string; column: number },
): Generator<FoundAddress> {
  if (isTooLong(record)) {
    yield { line: record.line, text: undefined }
    return
  }
  const text = cellsOf(record.text ?? '', delimiter)[column]?.trim() ?? ''
  if (text !== '') yield { line: record.line, text }
}

/** A quoted cell has its quotation marks doubled within it; one that is never closed goes to the end. */
function cellsOf(text: string, delimiter: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= text.length; ) {
    const quoted = text[at] === '"' ? /^"((?:[^"]|"")*)(?:"|$)/.exec(text.slice(at)) : null
    const rest = at + (quoted?.[0].length ?? 0)
    const next = text.indexOf(delimiter, rest)
    const end = next < 0 ? text.length : next
    cells.push(quoted ? (quoted[1] ?? '').replaceAll('""', '"') : text.slice(at, end))
    at = end + 1
  }
  return cells
}

/** Without their ends, and without what marks the text as UTF-8. One that is too long is cut just beyond that. */
async function* readLines(pieces: TextPieces): AsyncGenerator<string> {
  let rest = ''
  let isFirst = true
  const cut = (text: string) => {
    const line = (isFirst ? text.replace(/^\uFEFF/, '') : text).slice(0, MOST_CHARACTERS + 1).replace(/\r$/, '')
    isFirst = false
    return line
  }
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = (lines.pop() ?? '').slice(0, MOST_CHARACTERS + 2)
    for (const line of lines) yield cut(line)
  }
  if (rest !== '') yield cut(rest)
}
