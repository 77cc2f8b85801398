// How an endpoint has done: what share was delivered, and how long that took, hour by hour.
import type { ShownFigures } from '../../../src/servers/console/webhook-schemas.ts'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { here } from '../place.ts'
import { msInWords, successOf } from './hours.ts'

const HOURS = 24
const HOUR_MS = 60 * 60 * 1000

const hourName = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

export function Figures({ endpointId }: { endpointId: string }) {
  // From a full hour on, so that it is the same question for an hour.
  const since = new Date((Math.floor(Date.now() / HOUR_MS) - HOURS + 1) * HOUR_MS).toISOString()
  const figures = useQuery<ShownFigures>(here(`/data/webhooks/${endpointId}/figures?since=${since}`))
  return (
    <section class="stack" aria-labelledby="figures-title">
      <h2 id="figures-title">Last 24 hours</h2>
      <Loaded query={figures}>
        {(given) => (given.hours.length > 0 ? <Hours {...given} /> : <p class="soft">Nothing was delivered.</p>)}
      </Loaded>
    </section>
  )
}

function Hours({ hours, cutAt }: ShownFigures) {
  const success = successOf(hours)
  return (
    <div class="stack tight">
      <p>
        {success === undefined ? 'Nothing has ended yet.' : `${success} % of what has ended was delivered.`}
        {cutAt && (
          <>
            {' '}
            Only the newest deliveries are counted, since <Time at={cutAt} />: there are more.
          </>
        )}
      </p>
      <details>
        <summary>Hour by hour</summary>
        <div class="table">
          <table>
            <thead>
              <tr>
                <th scope="col">Hour</th>
                <th scope="col" class="number">
                  Delivered
                </th>
                <th scope="col" class="number">
                  Dead
                </th>
                <th scope="col" class="number">
                  Pending
                </th>
                <th scope="col" class="number">
                  Median
                </th>
                <th scope="col" class="number">
                  95 % within
                </th>
              </tr>
            </thead>
            <tbody>
              {hours.map(({ hour, delivered, dead, pending, p50Ms, p95Ms }) => (
                <tr key={hour}>
                  <th scope="row">{hourName.format(new Date(hour))}</th>
                  <td class="number">{delivered}</td>
                  <td class="number">{dead}</td>
                  <td class="number">{pending}</td>
                  <td class="number">{p50Ms === null ? '–' : msInWords(p50Ms)}</td>
                  <td class="number">{p95Ms === null ? '–' : msInWords(p95Ms)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  )
}
