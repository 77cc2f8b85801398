// Who did what in the organization, newest first, and from where.
import type { OperationList, ShownAct } from '../../../src/servers/console/audit-schemas.ts'
import { CopyId } from '../../ui/copy.tsx'
import { ExportCsv } from '../../ui/export.tsx'
import { ChoiceFilter, Filters, filtersOf, TextFilter, TimeFilter } from '../../ui/filters.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { usePages, useQuery } from '../../ui/query.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { environment, here } from '../place.ts'
import { actorOf, detailsInWords, kindOf, pageOf } from './act-words.ts'

const WHOLE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const FILTERS = ['by', 'operation', 'resource', 'person', 'key', 'sends', 'since', 'until'] as const
const ACTORS = [
  ['person', 'People'],
  ['application', 'Keys'],
  ['mailbox_user', 'Mailbox users'],
  ['operator', 'The operator'],
] as const
/** What is done here is no event, by which a page would hear of it. */
const LOOK_EVERY_MS = 5_000

export function AuditPage() {
  const filters = filtersOf(...FILTERS)
  const narrowed = filters && `?${filters}`
  const acts = usePages<ShownAct>(here(`/data/audit${narrowed}`), () => LOOK_EVERY_MS)
  const operations = useQuery<OperationList>(here('/data/audit/operations'))
  const options = operations.data?.items.map(({ operation, words }) => [operation, capital(words)] as const) ?? []
  const whole = { pattern: WHOLE_ID, words: 'the whole id' }
  return (
    <Page title="Audit" product="Console" actions={<ExportCsv path={here(`/data/exports/audit.csv${narrowed}`)} />}>
      <div class="stack">
        {environment() !== undefined && (
          <p>This is the log of the whole organization: its production and all of its sandboxes.</p>
        )}
        <Filters names={FILTERS}>
          <ChoiceFilter label="By" name="by" all="Everybody" options={ACTORS} />
          <ChoiceFilter label="What" name="operation" all="Everything" options={options} />
          <TextFilter label="Resource id" name="resource" whole={whole} />
          <TextFilter label="Person id" name="person" whole={whole} />
          <TextFilter label="Key id" name="key" whole={whole} />
          <ChoiceFilter label="Sends" name="sends" all="Without sends" options={[['true', 'With sends']]} />
          <TimeFilter label="Since" name="since" />
          <TimeFilter label="Until" name="until" />
        </Filters>
        <List
          pages={acts}
          empty={
            filters ? (
              <EmptyState title="No such record">
                No record of the last 365 days matches these filters. Clear one to see more.
              </EmptyState>
            ) : (
              <EmptyState title="Nothing was done yet">
                What people, keys and the operator change shows here.
              </EmptyState>
            )
          }
        >
          {(items) => <ActTable acts={items} />}
        </List>
      </div>
    </Page>
  )
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

function ActTable({ acts }: { acts: readonly ShownAct[] }) {
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Who</th>
            <th scope="col">Did what</th>
            <th scope="col">To what</th>
            <th scope="col">From where</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {acts.map((act) => (
            <tr key={act.id}>
              <Who act={act} />
              <td data-label="Did what">{act.words}</td>
              <td data-label="To what" class="address">
                <div>
                  <Resource act={act} />
                </div>
              </td>
              <td data-label="From where" class="address">
                <div>
                  <Origin act={act} />
                </div>
              </td>
              <td data-label="When">
                <Time at={act.at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Their name leads to what else they did. */
function Who({ act }: { act: ShownAct }) {
  const { who, by } = actorOf(act)
  const more = act.personId ? `person=${act.personId}` : act.keyId ? `key=${act.keyId}&by=application` : undefined
  return (
    <th scope="row" class="address">
      {more ? (
        <a href={here(`/audit?${more}`)} title={`What else ${who} did`}>
          <bdi>{who}</bdi>
        </a>
      ) : (
        <bdi>{who}</bdi>
      )}
      <br />
      <small>
        <bdi>{by}</bdi>
      </small>
    </th>
  )
}

function Resource({ act }: { act: ShownAct }) {
  const { resourceType, resourceId, resourceName, details } = act
  const page = pageOf(act, here)
  const kind = kindOf(resourceType)
  const name = resourceName === null ? kind : `${kind} ${resourceName}`
  return (
    <>
      {page ? (
        <a href={page}>
          <bdi>{name}</bdi>
        </a>
      ) : (
        <bdi>{name}</bdi>
      )}
      {resourceId && (
        <>
          <br />
          <CopyId id={resourceId} label="resource id" />
        </>
      )}
      {details && (
        <>
          <br />
          <small>
            <bdi>{detailsInWords(details)}</bdi>
          </small>
        </>
      )}
    </>
  )
}

function Origin({ act: { clientAddress, userAgent } }: { act: ShownAct }) {
  if (clientAddress === null) return <>The service’s own machine</>
  return (
    <>
      {clientAddress}
      {userAgent && (
        <>
          <br />
          <small class="cut" title={userAgent}>
            <bdi>{userAgent}</bdi>
          </small>
        </>
      )}
    </>
  )
}
