// One endpoint: how it stands and since when, how it has done, what is being replayed, and what was delivered to it.
import type { ShownEndpoint } from '../../../src/servers/console/webhook-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Page } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { here } from '../place.ts'
import { Deliveries } from './deliveries.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { disabledBecause, eventsInWords, stateOf } from './endpoint-words.ts'
import { Figures } from './figures.tsx'
import { Replays } from './replays.tsx'

/** Attempts that fail are no events, by which a page would hear of them. */
const LOOK_EVERY_MS = 5_000

export function EndpointPage({ endpointId = '' }: Record<string, string>) {
  const query = useQuery<ShownEndpoint>(here(`/data/webhooks/${endpointId}`), () => LOOK_EVERY_MS)
  const { data: endpoint } = query
  return (
    <Page
      title={endpoint?.url ?? 'Endpoint'}
      product="Console"
      actions={endpoint && <EndpointActions endpoint={endpoint} />}
    >
      <Loaded query={query}>
        {(shown) => (
          <div class="stack loose">
            <Trouble endpoint={shown} />
            <Facts endpoint={shown} />
            <Replays endpointId={shown.id} />
            <Figures endpointId={shown.id} />
            <section class="stack" aria-labelledby="deliveries-title">
              <h2 id="deliveries-title">Deliveries</h2>
              <Deliveries endpointId={shown.id} />
            </section>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Trouble({ endpoint }: { endpoint: ShownEndpoint }) {
  const { disabledAt, consecutiveFailures, failureLimit } = endpoint
  if (disabledAt) {
    return (
      <p class="alert bad">
        Disabled <Time at={disabledAt} />: {disabledBecause(endpoint)}. What happens meanwhile is kept, and can be
        replayed once the receiver works again and the endpoint is enabled.
      </p>
    )
  }
  if (consecutiveFailures === 0) return null
  const left = failureLimit - consecutiveFailures
  return (
    <p class="alert warn">
      The last {consecutiveFailures === 1 ? 'attempt' : `${consecutiveFailures} attempts`} failed. After {left} more in
      a row the endpoint is disabled.
    </p>
  )
}

function Facts({ endpoint }: { endpoint: ShownEndpoint }) {
  const { id, appName, description, eventTypes, consecutiveFailures, failureLimit, failingSince, createdAt } = endpoint
  const { words, tone } = stateOf(endpoint)
  return (
    <section class="card" aria-label="Facts">
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <Badge tone={tone}>{words}</Badge>
        </dd>
        <dt>Failures in a row</dt>
        <dd>
          {consecutiveFailures}/{failureLimit}
          {failingSince && (
            <>
              , the first <Time at={failingSince} />
            </>
          )}
        </dd>
        <dt>Events</dt>
        <dd>{eventsInWords(eventTypes)}</dd>
        <dt>Application</dt>
        <dd>{appName}</dd>
        {description && (
          <>
            <dt>Description</dt>
            <dd>{description}</dd>
          </>
        )}
        <dt>Added</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>Endpoint</dt>
        <dd>
          <CopyId id={id} label="endpoint id" />
        </dd>
      </dl>
    </section>
  )
}
