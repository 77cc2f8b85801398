// All messages, newest first, each with its status and the reason of it.
import type { ListedMessage } from '../../../src/servers/console/message-schemas.ts'
import { ChoiceFilter, Filters, filtersOf, TextFilter, TimeFilter } from '../../ui/filters.tsx'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { usePages } from '../../ui/query.ts'
import { EmptyState } from '../../ui/states.tsx'
import { here } from '../place.ts'
import { MESSAGE_STATUSES } from '../words.ts'
import { MessageTable } from './message-table.tsx'

const FILTERS = ['q', 'recipient', 'subject', 'status', 'direction', 'app', 'mailbox', 'since', 'until'] as const
const DIRECTIONS = [
  ['outbound', 'Sent from here'],
  ['inbound', 'Received'],
] as const

export function MessagesPage() {
  const filters = filtersOf(...FILTERS)
  const messages = usePages<ListedMessage>(here(`/data/messages${filters && `?${filters}`}`))
  return (
    <Page title="Messages" product="Console">
      <div class="stack">
        <Filters names={FILTERS}>
          <TextFilter label="Search" name="q" placeholder="Recipient, sender, subject or id" />
          <TextFilter label="Recipient" name="recipient" placeholder="ada@example.com" />
          <TextFilter label="Subject" name="subject" />
          <ChoiceFilter label="Status" name="status" all="All statuses" options={MESSAGE_STATUSES} />
          <ChoiceFilter label="Direction" name="direction" all="Both" options={DIRECTIONS} />
          <TimeFilter label="Since" name="since" />
          <TimeFilter label="Until" name="until" />
        </Filters>
        <List
          pages={messages}
          empty={
            filters ? (
              <EmptyState title="No such message">No message is like this. Clear a filter to see more.</EmptyState>
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
