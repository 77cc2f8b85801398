// The names of PostgreSQL's files of write-ahead log (its documentation, chapter "WAL Internals"). Pure.

const NAME = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/
const FULL = 0xffff_ffff

/** The bytes of a segment, unless initdb was told otherwise. */
const WAL_SEGMENT_BYTES = 16 * 1024 * 1024
const SEGMENTS_PER_FILE_ID = 2 ** 32 / WAL_SEGMENT_BYTES

/** Whether it is a segment, of whatever timeline. */
export function isWalSegment(name: string): boolean {
  return NAME.test(name)
}

/** Whether it says where a timeline branched off: `00000002.history`. */
export function isTimelineHistory(name: string): boolean {
  return /^[0-9A-F]{8}\.history$/.test(name)
}

/** The segment that follows on the same timeline. @throws RangeError when it is no name of one */
export function walSegmentAfter(name: string): string {
  const [, timeline = '', file = '', segment = ''] = NAME.exec(name) ?? []
  if (timeline === '') throw new RangeError(`${name} is no segment of the log`)
  const next = Number.parseInt(segment, 16) + 1
  const isLast = next === SEGMENTS_PER_FILE_ID
  return `${timeline}${hex((Number.parseInt(file, 16) + (isLast ? 1 : 0)) % (FULL + 1))}${hex(isLast ? 0 : next)}`
}

/** From one segment to another of the same timeline, both with them. */
export function* walSegments(first: string, last: string): Generator<string> {
  for (let name = first; name <= last; name = walSegmentAfter(name)) yield name
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(8, '0')
}
