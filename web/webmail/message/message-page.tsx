// One message. Its words are read by the API for now: strangers' HTML wants a frame of its own.
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { inMailbox } from '../mailbox.ts'

export function MessagePage() {
  return (
    <Page title="Message" product="Webmail">
      <EmptyState title="Messages do not open here yet">
        The webmail lists what lies in your mailboxes so far. <a href={inMailbox('/inbox')}>Back to the inbox</a>
      </EmptyState>
    </Page>
  )
}
