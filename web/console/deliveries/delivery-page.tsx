// One delivery: what became of it, what is posted, and every attempt with what the receiver answered.
import type { ComponentChildren } from 'preact'
import type { ShownDelivery } from '../../../src/servers/console/webhook-schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Page } from '../../ui/page.tsx'
import { useQuery } from '../../ui/query.ts'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { here } from '../place.ts'
import { adviceFor, standingOf } from '../webhooks/delivery-words.ts'
import { NextTry } from '../webhooks/next-try.tsx'
import { replay } from '../webhooks/replay.ts'
import { toneOf } from '../words.ts'
import { Attempts } from './attempts.tsx'
import { Request } from './request.tsx'

/** What becomes of it is no event, by which a page would hear of it. */
const LOOK_EVERY_MS = 2_000

export function DeliveryPage({ deliveryId = '' }: Record<string, string>) {
  const query = useQuery<ShownDelivery>(here(`/data/deliveries/${deliveryId}`), (shown) =>
    shown?.delivery.status === 'pending' ? LOOK_EVERY_MS : false,
  )
  const { data } = query
  return (
    <Page
      title={data ? `Delivery of ${data.delivery.eventType}` : 'Delivery'}
      product="Console"
      actions={
        data && (
          <button type="button" onClick={() => attempt(() => replay(data.delivery))}>
            Replay
          </button>
        )
      }
    >
      <Loaded query={query}>
        {(shown) => (
          <div class="stack loose">
            <Standing shown={shown} />
            <Facts shown={shown} />
            <Section title="Attempts">
              {shown.attempts.length > 0 ? (
                <Attempts attempts={shown.attempts} />
              ) : (
                <EmptyState title="No attempts yet">
                  Each request to the receiver shows here once it has ended.
                </EmptyState>
              )}
            </Section>
            <Section title="Request">
              {shown.request ? (
                <Request request={shown.request} />
              ) : (
                <EmptyState title="No longer kept">The log no longer has this event.</EmptyState>
              )}
            </Section>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = `${title.toLowerCase()}-title`
  return (
    <section class="stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

const ALERTS = { delivered: 'good', dead: 'bad', pending: 'warn' } as const

/** What happened, and what to do about it. */
function Standing({ shown: { delivery, endpoint } }: { shown: ShownDelivery }) {
  const { status } = delivery
  const advice = adviceFor(delivery, endpoint.enabled)
  return (
    <div class={`alert ${ALERTS[status]} stack tight`}>
      <p>
        <Badge tone={toneOf(status)}>{status}</Badge> {standingOf(delivery, Date.now())}
        {status === 'pending' && (
          <>
            {' '}
            Next try: <NextTry delivery={delivery} />.
          </>
        )}
      </p>
      {advice && <p>{advice}</p>}
    </div>
  )
}

function Facts({ shown: { delivery, endpoint, request } }: { shown: ShownDelivery }) {
  const { id, eventId, cycle, createdAt } = delivery
  return (
    <section class="card" aria-label="Facts">
      <dl class="facts">
        <dt>Endpoint</dt>
        <dd>
          <a href={here(`/webhooks/${endpoint.id}`)}>
            <bdi>{endpoint.url}</bdi>
          </a>{' '}
          {!endpoint.enabled && <Badge tone="bad">Disabled</Badge>}
        </dd>
        {request && (
          <>
            <dt>About</dt>
            <dd>
              {request.resourceType === 'message' ? (
                <a href={here(`/messages/${request.resourceId}`)}>message {request.resourceId}</a>
              ) : (
                `${request.resourceType} ${request.resourceId}`
              )}{' '}
              · <a href={here(`/events?resourceId=${request.resourceId}`)}>its events</a>
            </dd>
          </>
        )}
        <dt>Happened</dt>
        <dd>
          <Time at={createdAt} />
        </dd>
        <dt>Replays</dt>
        <dd>{cycle === 1 ? 'none' : cycle - 1}</dd>
        <dt>Event</dt>
        <dd>
          <CopyId id={eventId} label="event id" />
        </dd>
        <dt>Delivery</dt>
        <dd>
          <CopyId id={id} label="delivery id" />
        </dd>
      </dl>
    </section>
  )
}
