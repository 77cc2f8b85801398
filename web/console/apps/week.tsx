// How often something was done on each day of the last week: a total, and bars beside it.
import { Bars } from '../../ui/bars.tsx'

interface WeekProps {
  /** The oldest first; days of UTC. */
  days: readonly { day: string; requests: number }[]
}

const count = new Intl.NumberFormat('en')
const dayName = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function Week({ days }: WeekProps) {
  const total = days.reduce((sum, { requests }) => sum + requests, 0)
  const words = days.map(({ day, requests }) => `${dayName.format(new Date(day))}: ${count.format(requests)}`)
  return (
    <span class="week" title={words.join('\n')}>
      <span class="number">{count.format(total)}</span>
      {total > 0 && (
        <Bars
          label={words.join(', ')}
          tones={['accent']}
          bars={days.map(({ requests }, n) => ({ title: words[n] ?? '', values: [requests] }))}
        />
      )}
    </span>
  )
}
