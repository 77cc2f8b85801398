// How an endpoint has done: what share was delivered, and how long that took, hour by hour.
import type { ShownFigures } from '../../../src/servers/console/webhook-schemas.ts'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { Views, viewShown } from '../../ui/views.tsx'
import { here } from '../place.ts'
import { Chart } from './chart.tsx'
import { everyHour, type Hour, mostOf, msInWords, slowestOf, spanOf, successOf } from './hours.ts'
import { HoursTable, hourName } from './hours-table.tsx'

const VIEWS = [
  ['day', 'Last 24 hours'],
  ['week', 'Last 7 days'],
] as const
const HOURS = { day: 24, week: 7 * 24 }
/** What becomes of a delivery is no event, by which a page would hear of it. */
const LOOK_EVERY_MS = 10_000

const count = new Intl.NumberFormat('en')

const RESULTS = [
  { name: 'Delivered', tone: 'good' },
  { name: 'Dead', tone: 'bad' },
  { name: 'Pending', tone: 'warn' },
] as const
const TIMES = [
  { name: 'Half within', tone: 'accent' },
  { name: '95 % within', tone: 'neutral' },
] as const

export function Figures({ endpointId }: { endpointId: string }) {
  const { sinceMs, starts } = spanOf(HOURS[viewShown(VIEWS)], Date.now())
  const since = new Date(sinceMs).toISOString()
  const path = here(`/data/figures/${endpointId}?since=${since}`)
  const figures = useQuery<ShownFigures>(path, () => LOOK_EVERY_MS)
  return (
    <section class="stack" aria-labelledby="figures-title">
      <h2 id="figures-title">Figures</h2>
      <Views label="Figures" views={VIEWS} />
      <Loaded query={figures}>
        {({ hours, cutAt }) => <Charts hours={everyHour(starts, hours)} known={hours} cutAt={cutAt} />}
      </Loaded>
    </section>
  )
}

interface ChartsProps {
  /** Every one of the span. */
  hours: readonly Hour[]
  /** Those with deliveries. */
  known: readonly Hour[]
  cutAt: string | null
}

function Charts({ hours, known, cutAt }: ChartsProps) {
  if (known.length === 0) return <p class="soft">No deliveries in this time.</p>
  const success = successOf(known)
  const summary = success === undefined ? 'Nothing has ended yet.' : `${success} % delivered.`
  return (
    <div class="stack">
      <p>
        {summary}
        {cutAt && (
          <>
            {' '}
            Only the newest are counted, since <Time at={cutAt} />: there are more.
          </>
        )}
      </p>
      <div class="columns">
        <section class="card stack tight">
          <h3>Deliveries by hour</h3>
          <Chart
            label={`Deliveries by hour. ${summary}`}
            parts={RESULTS}
            highest={`Highest: ${count.format(mostOf(hours))} in an hour`}
            bars={hours.map(({ hour, delivered, dead, pending }) => ({
              title: `${hourName(hour)}: ${delivered} delivered, ${dead} dead, ${pending} pending`,
              values: [delivered, dead, pending],
            }))}
          />
        </section>
        <section class="card stack tight">
          <h3>How long the receiver took</h3>
          <Chart
            label="How long the receiver took to accept, by hour"
            parts={TIMES}
            highest={`Highest: ${msInWords(slowestOf(hours))}`}
            bars={hours.map(({ hour, p50Ms, p95Ms }) => ({
              title: `${hourName(hour)}: ${p50Ms === null ? 'nothing' : `half within ${msInWords(p50Ms)}, 95 % within ${msInWords(p95Ms ?? p50Ms)}`}`,
              values: [p50Ms ?? 0, (p95Ms ?? 0) - (p50Ms ?? 0)],
            }))}
          />
        </section>
      </div>
      <details>
        <summary>Hour by hour</summary>
        <HoursTable hours={known} />
      </details>
    </div>
  )
}
