// All messages, newest first, each with its status and the reason of it.
import type { MailboxList } from '../../../src/mailboxes/schemas.ts'
import type { Apps } from '../../../src/servers/console/app-schemas.ts'
import type { ListedMessage } from '../../../src/servers/console/message-schemas.ts'
import { ExportCsv } from '../../ui/export.tsx'
import { ChoiceFilter, Filters, filtersOf, TextFilter, TimeFilter } from '../../ui/filters.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { usePages, useQuery } from '../../ui/query.ts'
import { EmptyState } from '../../ui/states.tsx'
import { environment, here } from '../place.ts'
import { MESSAGE_STATUSES } from '../words.ts'
import { MessageTable } from './message-table.tsx'

const WHOLE_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const FILTERS = ['q', 'recipient', 'subject', 'status', 'direction', 'app', 'mailbox', 'since', 'until'] as const
const DIRECTIONS = [
  ['outbound', 'Sent from here'],
  ['inbound', 'Received'],
] as const

export function MessagesPage() {
  const filters = filtersOf(...FILTERS)
  const messages = usePages<ListedMessage>(here(`/data/messages${filters && `?${filters}`}`))
  return (
    <Page
      title="Messages"
      product="Console"
      actions={<ExportCsv path={here(`/data/exports/messages.csv${filters && `?${filters}`}`)} />}
    >
      <div class="stack">
        <Filters names={FILTERS}>
          <TextFilter label="Search" name="q" placeholder="Recipient, sender, subject or id" />
          <TextFilter
            label="Recipient"
            name="recipient"
            placeholder="ada@example.com"
            whole={{ pattern: WHOLE_ADDRESS, words: 'the whole address' }}
          />
          <TextFilter label="Subject" name="subject" />
          <ChoiceFilter label="Status" name="status" all="All statuses" options={MESSAGE_STATUSES} />
          <ChoiceFilter label="Direction" name="direction" all="Both" options={DIRECTIONS} />
          {environment() === undefined && <AppFilter />}
          <MailboxFilter />
          <TimeFilter label="Since" name="since" />
          <TimeFilter label="Until" name="until" />
        </Filters>
        <List
          pages={messages}
          empty={
            filters ? (
              <EmptyState title="No such message">No message matches these filters. Clear one to see more.</EmptyState>
            ) : (
              <EmptyState title="No messages yet">
                Send one with an API key, or have mail delivered to a mailbox, and it shows here.
              </EmptyState>
            )
          }
        >
          {(items) => <MessageTable messages={items} />}
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

function MailboxFilter() {
  const { data } = useQuery<MailboxList>(here('/data/mailbox-names'))
  const mailboxes = data?.items ?? []
  return (
    <ChoiceFilter
      label="Mailbox"
      name="mailbox"
      all="All mailboxes"
      options={mailboxes.map(({ id, address }) => [id, address] as const)}
    />
  )
}
