// Everything that happened, newest first, each with what is known of it as JSON.
import { useState } from 'preact/hooks'
import type { ListedEvent } from '../../../src/servers/console/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { ExportCsv } from '../../ui/export.tsx'
import { ChoiceFilter, Filters, filtersOf, TextFilter, TimeFilter } from '../../ui/filters.tsx'
import { Json } from '../../ui/json.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { usePages } from '../../ui/query.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { environment, here, isOwner } from '../place.ts'
import { EVENT_TYPES, toneOfType } from '../words.ts'
import { SyntheticEventDialog } from './synthetic-event-dialog.tsx'

const WHOLE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const FILTERS = ['type', 'resourceId', 'since', 'until'] as const

export function EventsPage() {
  const filters = filtersOf(...FILTERS)
  const events = usePages<ListedEvent>(here(`/data/events${filters && `?${filters}`}`))
  const [sending, setSending] = useState(false)
  return (
    <Page
      title="Events"
      product="Console"
      actions={
        <>
          <ExportCsv path={here(`/data/exports/events.csv${filters && `?${filters}`}`)} />
          {isOwner() && environment() !== undefined && (
            <button type="button" onClick={() => setSending(true)}>
              Send a synthetic event
            </button>
          )}
        </>
      }
    >
      <div class="stack">
        <Filters names={FILTERS}>
          <ChoiceFilter label="Type" name="type" all="All types" options={EVENT_TYPES} />
          <TextFilter label="Resource id" name="resourceId" whole={{ pattern: WHOLE_ID, words: 'the whole id' }} />
          <TimeFilter label="Since" name="since" />
          <TimeFilter label="Until" name="until" />
        </Filters>
        <List
          pages={events}
          empty={
            filters ? (
              <EmptyState title="No such event">No event matches these filters. Clear one to see more.</EmptyState>
            ) : (
              <EmptyState title="Nothing has happened yet">
                Send a message, and what becomes of it shows here.
              </EmptyState>
            )
          }
        >
          {(items) => (
            <ul class="plain card rows events">
              {items.map((event) => (
                <li key={event.id}>
                  <EventRow event={event} />
                </li>
              ))}
            </ul>
          )}
        </List>
      </div>
      {sending && <SyntheticEventDialog onClose={() => setSending(false)} />}
    </Page>
  )
}

function EventRow({ event }: { event: ListedEvent }) {
  const { id, type, resourceType, resourceId, data, occurredAt } = event
  return (
    <details>
      <summary>
        <Badge tone={toneOfType(type)}>{type}</Badge>
        <span class="about">{aboutOf(event)}</span>
        <Time at={occurredAt} />
      </summary>
      <div class="stack">
        <dl class="facts">
          <dt>Event</dt>
          <dd>
            <CopyId id={id} label="event id" />
          </dd>
          <dt>{resourceType.charAt(0).toUpperCase() + resourceType.slice(1)}</dt>
          <dd>
            {resourceType === 'message' ? <a href={here(`/messages/${resourceId}`)}>{resourceId}</a> : resourceId}
          </dd>
        </dl>
        <Json label={`Data of ${type}`} value={data} />
      </div>
    </details>
  )
}

/** In a line: what it is about, as far as its data says. What an operator triggers may say anything at all. */
function aboutOf({ data, resourceType, resourceId }: ListedEvent): string {
  const { recipient, subject, address, domain } = data as Record<string, unknown>
  const words = [recipient, subject, address, domain].filter((word) => typeof word === 'string' && word !== '')
  return words.length > 0 ? words.join(' · ') : `${resourceType} ${resourceId}`
}
