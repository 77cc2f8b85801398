// How many messages were accepted, sent, delivered, bounced, failed and received: figures with bars, and all of it as a table.
// Each figure leads to the events that it counts.
import type { CountedType } from '../../../src/activity/counted-types.ts'
import type { Overview } from '../../../src/servers/console/schemas.ts'
import type { Tone } from '../../ui/badge.tsx'
import { Bars } from '../../ui/bars.tsx'
import { Time } from '../../ui/time.tsx'
import { Views } from '../../ui/views.tsx'
import { here } from '../place.ts'
import { PERIODS, type Period } from './period.ts'
import { timeOfBar } from './time-of-bar.ts'

const KINDS: readonly (readonly [type: CountedType, label: string, tone: Tone])[] = [
  ['message.queued', 'Accepted', 'accent'],
  ['message.sent', 'Sent', 'accent'],
  ['message.delivered', 'Delivered', 'good'],
  ['message.bounced', 'Bounced', 'bad'],
  ['message.failed', 'Failed', 'bad'],
  ['message.received', 'Received', 'accent'],
]
const count = new Intl.NumberFormat('en')

export function Activity({ activity, waiting, period }: Pick<Overview, 'activity' | 'waiting'> & { period: Period }) {
  const { bars, sums, timeZone } = activity
  const labels = bars.map((bar) => timeOfBar(bar, period, timeZone))
  const whole = { since: bars[0]?.since ?? '', until: bars.at(-1)?.until ?? '' }
  return (
    <section class="stack" aria-labelledby="mail-title">
      <div class="beside apart">
        <h2 id="mail-title">Mail</h2>
        <Views label="Period" views={PERIODS} />
      </div>
      <dl class="card figures">
        {KINDS.map(([type, label, tone]) => (
          <div key={type} class={tone === 'bad' && sums[type] > 0 ? 'bad' : undefined}>
            <dt>{label}</dt>
            <dd>
              <a href={eventsOf(type, whole)}>{count.format(sums[type])}</a>
              <Bars
                label={`${label} by the ${period === 'today' ? 'hour' : 'day'}`}
                tones={[tone]}
                bars={bars.map(({ counts }, i) => ({ title: `${labels[i]}: ${counts[type]}`, values: [counts[type]] }))}
              />
            </dd>
          </div>
        ))}
        <div>
          <dt>Queued now</dt>
          <dd>
            <a href={here('/messages?status=queued')}>
              {waiting.more && 'at least '}
              {count.format(waiting.queued)}
            </a>
            {waiting.oldestQueuedAt && (
              <small class="soft">
                the oldest from <Time at={waiting.oldestQueuedAt} />
              </small>
            )}
          </dd>
        </div>
      </dl>
      <details>
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is too wide for a phone is scrolled by the keyboard too. */}
        <section class="table" tabIndex={0} aria-label="Mail as a table">
          <table>
            <thead>
              <tr>
                <th scope="col">{period === 'today' ? 'Hour' : 'Day'}</th>
                {KINDS.map(([type, label]) => (
                  <th key={type} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bars.map((bar, i) => (
                <tr key={bar.since}>
                  <th scope="row">{labels[i]}</th>
                  {KINDS.map(([type]) => (
                    <td key={type}>
                      {bar.counts[type] > 0 ? <a href={eventsOf(type, bar)}>{count.format(bar.counts[type])}</a> : 0}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </section>
  )
}

/** The events that were counted, and no other. */
function eventsOf(type: CountedType, { since, until }: { since: string; until: string }): string {
  return here(`/events?${new URLSearchParams({ type, since, until })}`)
}
