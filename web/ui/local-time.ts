// Instants as a field of a form has them: by the viewer's clock, to the minute. Pure but for the clock's time zone.

/** `2026-03-29T01:30`; empty for what is no instant. */
export function toLocal(instant: string): string {
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return ''
  const [year, month, day] = [String(at.getFullYear()).padStart(4, '0'), two(at.getMonth() + 1), two(at.getDate())]
  return `${year}-${month}-${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** An instant in UTC; empty for what is none. Of a time that a clock shows twice, the first. */
export function fromLocal(local: string): string {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? '' : at.toISOString()
}

const two = (part: number): string => String(part).padStart(2, '0')
