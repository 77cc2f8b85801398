// Which of the user's mailboxes the page shows.
import type { Mailboxes } from '../../src/servers/webmail/schemas.ts'
import { query } from '../ui/router.ts'

export type Mailbox = Mailboxes['items'][number]

/** The one that the URL names, else the first; undefined when the user has none. */
export function mailboxShown({ items }: Mailboxes): Mailbox | undefined {
  return items.find(({ id }) => id === query().get('mailbox')) ?? items[0]
}

/** A path of ours, in the same mailbox. */
export function inMailbox(path: string): string {
  const mailbox = query().get('mailbox')
  return mailbox === null ? path : `${path}?mailbox=${encodeURIComponent(mailbox)}`
}
