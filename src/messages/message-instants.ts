// When each of the messages that come at once was created: each at an instant of its own, and spread, so that a page of
// them can end between two milliseconds. Pure. specification.md#pages-of-messages

/** Between two messages of a process, where there is room: five in a millisecond. */
const APART_MICROS = 200
/** So much later than it came a message may be dated: what two hundred that come at once take. */
const MOST_LATER_MICROS = 200 * APART_MICROS

/** The instant of a message that came at `arrived`, `last` being that of the one before; microseconds of one clock. */
export function nextInstant(last: number, arrived: number): number {
  return Math.max(arrived, last + 1, Math.min(last + APART_MICROS, arrived + MOST_LATER_MICROS))
}
