// Takes up a CSV file as it comes: counts its rows, and knows whether all of it has come. Knows nothing of any page.

export interface CsvFile {
  /** As it is saved: spreadsheets take it for UTF-8 by its first octets. */
  blob: Blob
  rows: number
}

/** An answer that ended before its file did. */
export class CutOff extends Error {}

const QUOTE = 0x22
const LINE_FEED = 0x0a
const BYTE_ORDER_MARK = '\ufeff'
/** So much is handed to the browser at a time, which need not keep it in memory. */
const PART_BYTES = 4 * 1024 * 1024

/** `mark`: what must stand behind the last line. `onRows` is called with how many there are so far. @throws CutOff, and what the stream throws */
export async function readCsv(
  body: ReadableStream<Uint8Array>,
  mark: string,
  onRows: (rows: number) => void,
): Promise<CsvFile> {
  const parts: Blob[] = [new Blob([BYTE_ORDER_MARK])]
  let held: Uint8Array<ArrayBuffer>[] = []
  let heldBytes = 0
  let isQuoted = false
  /** The columns' names are no row. */
  let rows = -1

  function hold(octets: Uint8Array<ArrayBuffer>): void {
    for (const octet of octets) {
      if (octet === QUOTE) isQuoted = !isQuoted
      else if (octet === LINE_FEED && !isQuoted) rows += 1
    }
    held.push(octets)
    heldBytes += octets.length
    if (heldBytes >= PART_BYTES) handOn()
  }

  function handOn(): void {
    parts.push(new Blob(held))
    held = []
    heldBytes = 0
  }

  const expected = new TextEncoder().encode(mark)
  /** As many of the last octets as the mark has. */
  let last = new Uint8Array()
  for await (const chunk of octetsOf(body)) {
    const octets = joined(last, chunk)
    const end = Math.max(0, octets.length - expected.length)
    hold(octets.subarray(0, end))
    last = octets.slice(end)
    onRows(Math.max(0, rows))
  }
  if (last.length !== expected.length || last.some((octet, i) => octet !== expected[i])) throw new CutOff()
  handOn()
  return { blob: new Blob(parts, { type: 'text/csv;charset=utf-8' }), rows: Math.max(0, rows) }
}

/** Not every browser goes through a stream by `for await`. */
async function* octetsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (value) yield value
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
