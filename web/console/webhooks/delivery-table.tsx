// Deliveries, a row each.
import type { ListedDelivery, ShownEndpoint } from '../../../src/servers/console/webhook-schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { here } from '../place.ts'
import { toneOf } from '../words.ts'
import { lastAnswerOf } from './delivery-words.ts'
import { NextTry } from './next-try.tsx'
import { replay } from './replay.ts'

interface DeliveryTableProps {
  deliveries: readonly ListedDelivery[]
  /** Given when they go to several. */
  endpoints: readonly ShownEndpoint[] | undefined
}

export function DeliveryTable({ deliveries, endpoints }: DeliveryTableProps) {
  const urls = endpoints && new Map(endpoints.map(({ id, url }) => [id, url]))
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Event</th>
            {urls && <th scope="col">Endpoint</th>}
            <th scope="col">Status</th>
            <th scope="col">Attempts</th>
            <th scope="col">Last answer</th>
            <th scope="col">Last try</th>
            <th scope="col">Next try</th>
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <Row delivery={delivery} url={urls?.get(delivery.endpointId)} namesEndpoint={urls !== undefined} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  delivery: ListedDelivery
  url: string | undefined
  namesEndpoint: boolean
}

function Row({ delivery, url, namesEndpoint }: RowProps) {
  const { id, eventType, status, attemptCount, lastAttemptAt, createdAt } = delivery
  return (
    <>
      <th scope="row">
        <a class="row-link" href={here(`/deliveries/${id}`)}>
          {eventType}
        </a>
        <br />
        <small>
          <Time at={createdAt} />
        </small>
      </th>
      {namesEndpoint && (
        <td data-label="Endpoint" class="address">
          <bdi>{url ?? delivery.endpointId}</bdi>
        </td>
      )}
      <td data-label="Status">
        <Badge tone={toneOf(status)}>{status}</Badge>
      </td>
      <td data-label="Attempts">{attemptCount}</td>
      <td data-label="Last answer">{lastAnswerOf(delivery) ?? '–'}</td>
      <td data-label="Last try">{lastAttemptAt ? <Time at={lastAttemptAt} /> : '–'}</td>
      <td data-label="Next try">
        <NextTry delivery={delivery} />
      </td>
      <td class="actions-cell">
        <button type="button" class="quiet small" onClick={() => attempt(() => replay(delivery))}>
          Replay
          <span class="unseen">
            {' '}
            {eventType} {id}
          </span>
        </button>
      </td>
    </>
  )
}
