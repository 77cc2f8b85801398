// Deliveries, newest first: of one endpoint, or of all.
import type { ListedDelivery, ShownEndpoint } from '../../../src/servers/console/webhook-schemas.ts'
import { ExportCsv } from '../../ui/export.tsx'
import { ChoiceFilter, Filters, filtersOf, TimeFilter } from '../../ui/filters.tsx'
import { List } from '../../ui/list.tsx'
import { usePages } from '../../ui/query.ts'
import { EmptyState } from '../../ui/states.tsx'
import { here } from '../place.ts'
import { EVENT_TYPES } from '../words.ts'
import { DeliveryTable } from './delivery-table.tsx'

const FILTERS = ['status', 'type', 'since', 'until'] as const
const STATUSES = [
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['dead', 'Dead'],
] as const
/** What becomes of a delivery is no event, by which a page would hear of it. */
const LOOK_EVERY_MS = 3_000

interface DeliveriesProps {
  /** Of this one alone. */
  endpointId?: string
  /** Otherwise each row names its own. */
  endpoints?: readonly ShownEndpoint[]
}

export function Deliveries({ endpointId, endpoints }: DeliveriesProps) {
  const filters = filtersOf(...FILTERS)
  const query = new URLSearchParams(filters)
  if (endpointId !== undefined) query.set('endpointId', endpointId)
  const narrowed = query.size > 0 ? `?${query}` : ''
  const deliveries = usePages<ListedDelivery>(here(`/data/deliveries${narrowed}`), (shown) =>
    shown?.some(({ status }) => status === 'pending') ? LOOK_EVERY_MS : false,
  )
  return (
    <div class="stack">
      <Filters names={FILTERS}>
        <ChoiceFilter label="Status" name="status" all="All statuses" options={STATUSES} />
        <ChoiceFilter label="Type" name="type" all="All types" options={EVENT_TYPES} />
        <TimeFilter label="Since" name="since" />
        <TimeFilter label="Until" name="until" />
      </Filters>
      <div class="actions">
        <ExportCsv path={here(`/data/exports/deliveries.csv${narrowed}`)} />
      </div>
      <List
        pages={deliveries}
        empty={
          filters ? (
            <EmptyState title="No such delivery">
              No delivery matches these filters. Clear a filter to see more.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing delivered yet">
              {endpointId === undefined
                ? 'Events that an endpoint listens to show here once there are any.'
                : 'Events that this endpoint listens to show here once there are any.'}
            </EmptyState>
          )
        }
      >
        {(items) => <DeliveryTable deliveries={items} endpoints={endpoints} />}
      </List>
    </div>
  )
}
