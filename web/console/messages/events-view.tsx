// The events of a message with their data, and what was delivered of each to webhooks.
import type { ListedEvent } from '../../../src/servers/console/schemas.ts'
import type { DeliveryOfEvent, MessageEvents } from '../../../src/webhooks/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Json } from '../../ui/json.tsx'
import { type Listed, useQuery } from '../../ui/query.ts'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { here } from '../place.ts'
import { toneOf, toneOfType } from '../words.ts'

export function EventsView({ messageId }: { messageId: string }) {
  const events = useQuery<MessageEvents>(here(`/data/messages/${messageId}/events`))
  // The newest of them, as all that a page of the log has.
  const log = useQuery<Listed<ListedEvent>>(here(`/data/events?resourceId=${messageId}`)).data?.items ?? []
  const data = new Map(log.map((event) => [event.id, event.data]))
  return (
    <Loaded query={events}>
      {({ items, isCut }) =>
        items.length === 0 ? (
          <EmptyState title="No events">What happened to it was so long ago that its events are gone.</EmptyState>
        ) : (
          <div class="stack">
            {isCut && <p class="alert">There are more than these; the newest are here.</p>}
            {items.map((event) => (
              <MessageEvent key={event.id} {...event} data={data.get(event.id)} />
            ))}
          </div>
        )
      }
    </Loaded>
  )
}

function MessageEvent({
  id,
  type,
  occurredAt,
  deliveries,
  data,
}: MessageEvents['items'][number] & { data: ListedEvent['data'] | undefined }) {
  return (
    <section class="card stack tight" aria-label={`Event ${type}`}>
      <div class="beside apart">
        <Badge tone={toneOfType(type)}>{type}</Badge>
        <span class="beside">
          <CopyId id={id} label="event id" />
          <Time at={occurredAt} />
        </span>
      </div>
      {deliveries.length > 0 ? (
        <Deliveries deliveries={deliveries} />
      ) : (
        <p class="soft">No webhook was to be sent of it.</p>
      )}
      {data && (
        <details>
          <summary>Data</summary>
          <Json label={`Data of ${type}`} value={data} />
        </details>
      )}
    </section>
  )
}

function Deliveries({ deliveries }: { deliveries: readonly DeliveryOfEvent[] }) {
  return (
    <ul class="plain rows">
      {deliveries.map(({ id, url, status, attemptCount, lastStatusCode, lastError }) => (
        <li key={id} class="beside apart">
          <a href={here(`/deliveries/${id}`)}>
            <bdi>{url}</bdi>
          </a>
          <span class="beside">
            <Badge tone={toneOf(status)}>{status}</Badge>
            <span class="soft">
              {attemptCount === 1 ? '1 attempt' : `${attemptCount} attempts`}
              {(lastStatusCode ?? lastError) !== null && `, ${lastStatusCode ?? lastError}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
