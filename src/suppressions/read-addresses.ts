// Reads addresses from text that comes piece by piece: one a line, or a CSV file (RFC 4180) with a column of them. Pure but for
// where the text comes from.
import { setImmediate } from 'node:timers/promises'

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

/** Characters that are read on end, before whoever else is in the process has a turn. */
const MOST_ON_END = 16 * 1024

/**
 * Those of the column `email` (or `address`, `recipient`) where the first line names one; else the first cell of each line.
 * Blank ones are passed over. Gives some at a time, or none.
 */
export async function* readAddresses(pieces: TextPieces): AsyncGenerator<FoundAddress[]> {
  const reader = createReader()
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += MOST_ON_END) {
      yield [...reader.read(piece.slice(at, at + MOST_ON_END))]
      await setImmediate()
    }
  }
  yield [...reader.end()]
}

interface CsvRecord extends FoundAddress {
  /** A quotation mark in it is not closed yet. */
  isOpen: boolean
}

function createReader() {
  let header: { delimiter: string; column: number; isNamed: boolean } | undefined
  let record: CsvRecord = { line: 0, text: '', isOpen: false }
  let line = 0
  /** Of the line that has not ended. */
  let rest = ''

  function* takeLine(text: string): Generator<FoundAddress> {
    line += 1
    if (!header) {
      header = headerOf(text)
      if (header.isNamed) return
    }
    const { isOpen } = record
    record = isOpen
      ? { ...record, text: `${record.text}\n${text}`, isOpen: !hasOddQuotes(text) }
      : { line, text, isOpen: hasOddQuotes(text) }
    // Only a file with named columns quotes what goes over several lines.
    record.isOpen &&= header.isNamed && !isTooLong(record)
    if (!record.isOpen) yield* addressOf(record, header)
  }

  return {
    *read(piece: string): Generator<FoundAddress> {
      const lines = (rest + piece).split('\n')
      // One that is too long is cut just beyond that.
      rest = (lines.pop() ?? '').slice(0, MOST_CHARACTERS + 2)
      for (const text of lines) yield* takeLine(lineOf(text, line === 0))
    },
    *end(): Generator<FoundAddress> {
      if (rest !== '') yield* takeLine(lineOf(rest, line === 0))
      if (record.isOpen && header) yield* addressOf(record, header)
    },
  }
}

/** Without its end, and without what marks the text as UTF-8. */
const lineOf = (text: string, isFirst: boolean): string =>
  (isFirst ? text.replace(/^\uFEFF/, '') : text).slice(0, MOST_CHARACTERS + 1).replace(/\r$/, '')

function headerOf(text: string): { delimiter: string; column: number; isNamed: boolean } {
  const delimiter = /[,;\t]/.exec(text)?.[0] ?? ','
  const named = cellsOf(text, delimiter).findIndex((cell) => COLUMN.test(cell.trim()))
  return { delimiter, column: Math.max(0, named), isNamed: named >= 0 }
}

const isTooLong = ({ text = '' }: FoundAddress): boolean => text.length > MOST_CHARACTERS

const hasOddQuotes = (text: string): boolean => text.split('"').length % 2 === 0

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
