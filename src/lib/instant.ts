// Instants as callers write them – in a URL the plus of an offset that was not escaped arrives as a blank – and as the
// database gives them.
import type { Timestamp } from './sql.ts'

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d+))?([Zz]|[+ -]\d{2}:?\d{2})?)?$/

/**
 * Reads an ISO 8601 instant to the microsecond: a date (its beginning, UTC) or a date and time (UTC where no offset
 * is given). Gives microseconds since 1970, or undefined when it is none; of what was before, nothing is kept: 0.
 */
export function parseInstant(text: string): number | undefined {
  const parts = INSTANT.exec(text)
  if (!parts) return undefined
  const [, date, time = '00:00:00', fraction = '', offset = 'Z'] = parts
  const zone = offset
    .toUpperCase()
    .replace(' ', '+')
    .replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const milliseconds = Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}${zone}`)
  if (Number.isNaN(milliseconds) || !isDate(date as string)) return undefined
  return Math.max(0, milliseconds * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6)))
}

/** An instant of the database so many milliseconds later, to the millisecond. */
export function laterBy(ms: number, instant: Timestamp): Timestamp {
  return new Date(Date.parse(instant) + ms).toISOString().replace('Z', '000Z')
}

/** Date.parse takes the 30th of February for the 2nd of March. */
function isDate(date: string): boolean {
  return new Date(`${date}T00:00:00Z`).toISOString().startsWith(date)
}
