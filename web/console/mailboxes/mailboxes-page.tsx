// The mailboxes of the organization, each with who has it and how much is in it. Owners make more.
import { useState } from 'preact/hooks'
import type { ShownMailbox } from '../../../src/servers/console/mailbox-schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { bytesInWords } from '../../ui/bytes-in-words.ts'
import { ExportCsv } from '../../ui/export.tsx'
import { ChoiceFilter, Filters, filtersOf, TextFilter } from '../../ui/filters.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { usePages } from '../../ui/query.ts'
import { EmptyState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { OfAllEnvironments } from '../of-all-environments.tsx'
import { here, isOwner } from '../place.ts'
import { CreateMailboxDialog } from './create-mailbox-dialog.tsx'

const FILTERS = ['q', 'status'] as const
const STATUSES = [
  ['active', 'Active'],
  ['suspended', 'Suspended'],
] as const
/** What is counted is a moment behind what happens. */
const LOOK_EVERY_MS = 10_000

export function MailboxesPage() {
  const filters = filtersOf(...FILTERS)
  const mailboxes = usePages<ShownMailbox>(here(`/data/mailboxes${filters && `?${filters}`}`), () => LOOK_EVERY_MS)
  const [making, setMaking] = useState(false)
  return (
    <Page
      title="Mailboxes"
      product="Console"
      actions={
        <>
          <ExportCsv path={here(`/data/exports/mailboxes.csv${filters && `?${filters}`}`)} />
          {isOwner() && (
            <button type="button" class="primary" onClick={() => setMaking(true)}>
              Create mailbox
            </button>
          )}
        </>
      }
    >
      <div class="stack">
        <OfAllEnvironments what="Mailboxes" />
        <Filters names={FILTERS}>
          <TextFilter label="Search" name="q" placeholder="A part of the address or name" />
          <ChoiceFilter label="Status" name="status" all="All statuses" options={STATUSES} />
        </Filters>
        <List
          pages={mailboxes}
          goesOn="Show more"
          empty={
            filters ? (
              <EmptyState title="No such mailbox">No mailbox matches these filters. Clear one to see more.</EmptyState>
            ) : (
              <EmptyState title="No mailboxes yet">
                {isOwner()
                  ? 'Create one on a verified domain: it is what mail is sent from, and where mail arrives.'
                  : 'An Owner creates mailboxes: they are what mail is sent from, and where mail arrives.'}
              </EmptyState>
            )
          }
        >
          {(items) => <MailboxTable mailboxes={items} />}
        </List>
      </div>
      {making && <CreateMailboxDialog onClose={() => setMaking(false)} />}
    </Page>
  )
}

const count = new Intl.NumberFormat('en')

function MailboxTable({ mailboxes }: { mailboxes: readonly ShownMailbox[] }) {
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th scope="col">Mailbox</th>
            <th scope="col" class="number">
              Users
            </th>
            <th scope="col" class="number">
              Unread
            </th>
            <th scope="col" class="number">
              Stored
            </th>
            <th scope="col">Created</th>
          </tr>
        </thead>
        <tbody>
          {mailboxes.map(({ id, address, displayName, status, users, unread, storedBytes, createdAt }) => (
            <tr key={id}>
              <th scope="row" class="address">
                <a class="row-link" href={here(`/mailboxes/${id}`)}>
                  <bdi>{address}</bdi>
                </a>{' '}
                {status === 'suspended' && <Badge tone="warn">Suspended</Badge>}
                <br />
                <small>
                  <bdi>{displayName}</bdi>
                </small>
              </th>
              <td data-label="Users" class="number">
                {users}
              </td>
              <td data-label="Unread" class="number">
                {count.format(unread)}
              </td>
              <td data-label="Stored" class="number">
                {bytesInWords(storedBytes)}
              </td>
              <td data-label="Created">
                <Time at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
