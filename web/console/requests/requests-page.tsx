// Requests to the API that were refused, newest first: found by what they have in common, or by the id of their answer.
import type { Apps } from '../../../src/servers/console/app-schemas.ts'
import type { ShownRequest } from '../../../src/servers/console/request-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { ExportCsv } from '../../ui/export.tsx'
import { ChoiceFilter, Filters, filtersOf, TextFilter, TimeFilter } from '../../ui/filters.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { usePages, useQuery } from '../../ui/query.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { environment, here } from '../place.ts'
import { keyInWords, toneOfStatus } from './request-words.ts'

const WHOLE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const STATUS = /^[45](xx|\d\d)$/
const FILTERS = ['requestId', 'status', 'code', 'app', 'key', 'path', 'since', 'until'] as const
/** A refusal is no event, by which a page would hear of it. */
const LOOK_EVERY_MS = 5_000

export function RequestsPage() {
  const filters = filtersOf(...FILTERS)
  const narrowed = filters && `?${filters}`
  const requests = usePages<ShownRequest>(here(`/data/requests${narrowed}`), () => LOOK_EVERY_MS)
  return (
    <Page
      title="Requests"
      product="Console"
      actions={<ExportCsv path={here(`/data/exports/requests.csv${narrowed}`)} />}
    >
      <div class="stack">
        <Filters names={FILTERS}>
          <TextFilter
            label="Request id"
            name="requestId"
            placeholder="The requestId of an answer"
            whole={{ pattern: WHOLE_ID, words: 'the whole id' }}
          />
          <TextFilter
            label="Status"
            name="status"
            placeholder="4xx, 5xx or 429"
            whole={{ pattern: STATUS, words: '4xx, 5xx or a status of these' }}
          />
          <TextFilter label="Code" name="code" placeholder="validation_error" />
          {environment() === undefined && <AppFilter />}
          <TextFilter label="Path" name="path" placeholder="/v1/messages" />
          <TextFilter label="Key id" name="key" whole={{ pattern: WHOLE_ID, words: 'the whole id' }} />
          <TimeFilter label="Since" name="since" />
          <TimeFilter label="Until" name="until" />
        </Filters>
        <List
          pages={requests}
          empty={
            filters ? (
              <EmptyState title="No such request">
                No refused request of the last 7 days matches these filters. One that was accepted does not show here,
                nor one whose key nobody knows.
              </EmptyState>
            ) : (
              <EmptyState title="No request was refused">
                Requests with a key of yours that are answered 4xx or 5xx show here for 7 days.
              </EmptyState>
            )
          }
        >
          {(items) => <RequestTable requests={items} />}
        </List>
      </div>
    </Page>
  )
}

/** A sandbox is of one application. */
function AppFilter() {
  const { data } = useQuery<Apps>(here('/data/apps'))
  const apps = data?.items.filter((app) => app.environment === 'production') ?? []
  return (
    <ChoiceFilter
      label="Application"
      name="app"
      all="All applications"
      options={apps.map(({ id, name }) => [id, name] as const)}
    />
  )
}

function RequestTable({ requests }: { requests: readonly ShownRequest[] }) {
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Request</th>
            <th scope="col">Answer</th>
            <th scope="col">Key</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <tr key={request.requestId}>
              <th scope="row" class="address">
                <a class="row-link" href={here(`/requests/${request.requestId}`)}>
                  {request.method} <bdi>{request.path}</bdi>
                </a>
              </th>
              <td data-label="Answer">
                <div>
                  <Badge tone={toneOfStatus(request.status)}>{request.status}</Badge> {request.code}
                </div>
              </td>
              <td data-label="Key" class="address">
                <div>
                  <bdi>{keyInWords(request)}</bdi>
                  <br />
                  <small>
                    <bdi>{request.appName}</bdi>
                  </small>
                </div>
              </td>
              <td data-label="When">
                <Time at={request.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
