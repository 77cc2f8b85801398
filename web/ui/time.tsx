// When something was, as it is said, with the exact instant on hover.
import { signal } from '@preact/signals'
import { relativeTime } from './relative-time.ts'

/** One for all that show one. */
const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 30_000)

const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' })

export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {relativeTime(at, Math.max(now.value, Date.now()))}
    </time>
  )
}
