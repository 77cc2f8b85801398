// When a message was, in as few characters as a row has room for: by the viewer's clock. Pure but for its time zone.

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const date = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'short', day: 'numeric' })

/** `14:05` today, `Nov 3` this year, `Nov 3, 2024` before. */
export function rowTime(instant: string, nowMs: number): string {
  const [at, now] = [new Date(instant), new Date(nowMs)]
  if (at.toDateString() === now.toDateString()) return clock.format(at)
  return (at.getFullYear() === now.getFullYear() ? day : date).format(at)
}
