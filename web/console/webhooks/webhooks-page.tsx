// Where events are posted to: every endpoint with how it stands, and what was delivered to all of them.
import { useState } from 'preact/hooks'
import type { ShownEndpoint, Webhooks } from '../../../src/servers/console/webhook-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Page } from '../../ui/page.tsx'
import { type Query, useQuery } from '../../ui/query.ts'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { Views, viewShown } from '../../ui/views.tsx'
import { here, isOwner } from '../place.ts'
import { AddEndpoint } from './add-endpoint.tsx'
import { Deliveries } from './deliveries.tsx'
import { disabledBecause, eventsInWords, stateOf } from './endpoint-words.ts'

const VIEWS = [
  ['endpoints', 'Endpoints'],
  ['deliveries', 'Deliveries'],
] as const
/** Attempts that fail are no events, by which a page would hear of them. */
const LOOK_EVERY_MS = 10_000

export function WebhooksPage() {
  const webhooks = useQuery<Webhooks>(here('/data/webhooks'), () => LOOK_EVERY_MS)
  const [adding, setAdding] = useState(false)
  const apps = webhooks.data?.apps
  return (
    <Page
      title="Webhooks"
      product="Console"
      actions={
        isOwner() &&
        apps !== undefined &&
        apps.length > 0 && (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Add endpoint
          </button>
        )
      }
    >
      <div class="stack">
        <Views label="Webhooks" views={VIEWS} />
        {viewShown(VIEWS) === 'endpoints' ? (
          <Endpoints webhooks={webhooks} />
        ) : (
          <Deliveries endpoints={webhooks.data?.items ?? []} />
        )}
      </div>
      {adding && apps && <AddEndpoint apps={apps} onClose={() => setAdding(false)} />}
    </Page>
  )
}

function Endpoints({ webhooks }: { webhooks: Query<Webhooks> }) {
  return (
    <Loaded query={webhooks}>
      {({ items, apps }) =>
        items.length > 0 ? (
          <EndpointTable endpoints={items} showsApp={apps.length > 1} />
        ) : (
          <EmptyState title="No endpoints yet">
            {apps.length === 0
              ? 'Events are posted to endpoints of an application, and there is no application yet.'
              : isOwner()
                ? 'Add an endpoint, and what happens to your mail is posted there as it happens.'
                : 'What happens to your mail can be posted to an endpoint as it happens. An Owner adds one.'}
          </EmptyState>
        )
      }
    </Loaded>
  )
}

function EndpointTable({ endpoints, showsApp }: { endpoints: readonly ShownEndpoint[]; showsApp: boolean }) {
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Endpoint</th>
            <th scope="col">State</th>
            <th scope="col">Events</th>
            {showsApp && <th scope="col">Application</th>}
          </tr>
        </thead>
        <tbody>
          {endpoints.map((endpoint) => (
            <tr key={endpoint.id}>
              <th scope="row" class="address">
                <a class="row-link" href={here(`/webhooks/${endpoint.id}`)}>
                  <bdi>{endpoint.url}</bdi>
                </a>
                {endpoint.description && (
                  <>
                    <br />
                    <small>{endpoint.description}</small>
                  </>
                )}
              </th>
              <td data-label="State">
                <div>
                  <State endpoint={endpoint} />
                </div>
              </td>
              <td data-label="Events" class="address">
                {eventsInWords(endpoint.eventTypes)}
              </td>
              {showsApp && <td data-label="Application">{endpoint.appName}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function State({ endpoint }: { endpoint: ShownEndpoint }) {
  const { words, tone } = stateOf(endpoint)
  const { disabledAt, failingSince } = endpoint
  return (
    <>
      <Badge tone={tone}>{words}</Badge>
      {disabledAt ? (
        <>
          <br />
          <small>
            <Time at={disabledAt} />: {disabledBecause(endpoint)}
          </small>
        </>
      ) : (
        failingSince && (
          <>
            <br />
            <small>
              since <Time at={failingSince} />
            </small>
          </>
        )
      )}
    </>
  )
}
