// How often something was done on each day of the last week: a total, and bars beside it.
interface WeekProps {
  /** The oldest first; days of UTC. */
  days: readonly { day: string; requests: number }[]
}

const BAR = 6
const GAP = 2
const HEIGHT = 24

const count = new Intl.NumberFormat('en')
const dayName = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function Week({ days }: WeekProps) {
  const total = days.reduce((sum, { requests }) => sum + requests, 0)
  const most = Math.max(...days.map(({ requests }) => requests), 1)
  const words = days.map(({ day, requests }) => `${dayName.format(new Date(day))}: ${count.format(requests)}`)
  return (
    <span class="week" title={words.join('\n')}>
      <span class="number">{count.format(total)}</span>
      {total > 0 && (
        <svg
          role="img"
          aria-label={words.join(', ')}
          width={days.length * (BAR + GAP) - GAP}
          height={HEIGHT}
          viewBox={`0 0 ${days.length * (BAR + GAP) - GAP} ${HEIGHT}`}
        >
          {days.map(({ day, requests }, n) => {
            // One request shows too.
            const height = requests === 0 ? 1 : Math.max(2, (requests / most) * HEIGHT)
            return <rect key={day} x={n * (BAR + GAP)} y={HEIGHT - height} width={BAR} height={height} />
          })}
        </svg>
      )}
    </span>
  )
}
