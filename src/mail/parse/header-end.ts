// Finds where a header ends whose empty line is missing: before the first line that is no field, when no field follows.
// Pure.

const LF = 0x0a
const CR = 0x0d
const COLON = 0x3a
const MINUS = 0x2d

/** Fields by which a header is known to go on behind a line that is none. */
const KNOWN_FIELD =
  /^(?:arc|authentication|auto|bcc|cc|comments|content|date|delivered|dkim|errors|feedback|from|importance|in|keywords|list|mail|message|mime|organi[sz]ation|original|precedence|priority|received|references|reply|resent|return|sender|sensitivity|status|subject|thread|to|user|x)(?:-[!-9;-~]*)?[ \t]*:/i
/** More than the longest of them has. */
const FIELD_NAME_BYTES = 80

/**
 * Gives a function that says of one line of a header after the other, in their order, whether the body begins there.
 * Looks at each byte of `raw` twice at most.
 */
export function createHeaderEnd(raw: Uint8Array): (line: Uint8Array, isRoot: boolean) => boolean {
  /** Up to `until` no field begins; whether one does there. */
  let until = -1
  let fieldThere = false
  let colon = -1
  let boundaryIsNamed = false

  function fieldFollows(from: number): boolean {
    if (from < until) return fieldThere
    for (let start = from; ; ) {
      const feed = raw.indexOf(LF, start)
      until = start
      fieldThere = colonOf(start) < start + FIELD_NAME_BYTES && KNOWN_FIELD.test(latin1(raw, start))
      if (fieldThere || feed === -1 || isEmpty(raw, start) || isBoundary(raw, start)) return fieldThere
      start = feed + 1
    }
  }

  /** Where the next colon is. */
  function colonOf(start: number): number {
    if (colon < start) colon = raw.indexOf(COLON, start)
    if (colon === -1) colon = raw.length
    return colon
  }

  return (line, isRoot) => {
    if (isRoot && !boundaryIsNamed) boundaryIsNamed = /boundary/i.test(latin1(line, 0, line.length))
    if (line.length === 0 || isFolded(line) || line.includes(COLON)) return false
    // The boundary of what is around it, or its own: the library must know of it before it looks at the line.
    if (isBoundary(line, 0)) return !isRoot || boundaryIsNamed
    const feed = raw.indexOf(LF, line.byteOffset + line.length)
    return feed === -1 || !fieldFollows(feed + 1)
  }
}

function latin1(bytes: Uint8Array, start: number, end = start + FIELD_NAME_BYTES): string {
  return Buffer.from(bytes.subarray(start, end)).toString('latin1')
}

function isFolded(line: Uint8Array): boolean {
  return line[0] === 0x20 || line[0] === 0x09
}

function isEmpty(raw: Uint8Array, at: number): boolean {
  return at >= raw.length || raw[at] === LF || (raw[at] === CR && raw[at + 1] === LF)
}

function isBoundary(raw: Uint8Array, at: number): boolean {
  return raw[at] === MINUS && raw[at + 1] === MINUS
}
