// Which of the user's mailboxes the page shows, what lies in them, and where the user may do something.
import type { FolderName, Mailboxes } from '../../src/servers/webmail/schemas.ts'
import { queries, useQuery } from '../ui/query.ts'
import { query } from '../ui/router.ts'

export const MAILBOXES_PATH = '/data/mailboxes'

export type Mailbox = Mailboxes['items'][number]

export const useMailboxes = () => useQuery<Mailboxes>(MAILBOXES_PATH)

/** As far as they were fetched. */
export const mailboxesNow = (): readonly Mailbox[] => queries.getQueryData<Mailboxes>([MAILBOXES_PATH])?.items ?? []

/** The one that is named, or all. */
export const shownOf = (mailboxes: readonly Mailbox[], mailbox: string | undefined): readonly Mailbox[] =>
  mailbox === undefined ? mailboxes : mailboxes.filter(({ id }) => id === mailbox)

export const mayWrite = (mailboxes: readonly Mailbox[], mailboxId: string): boolean =>
  mailboxes.some(({ id, access }) => id === mailboxId && access === 'write')

/** In all of these together. */
export function amountIn(mailboxes: readonly Mailbox[], folder: FolderName): { messages: number; unread: number } {
  const amounts = mailboxes.map(({ folders }) => folders[folder])
  return {
    messages: amounts.reduce((sum, { messages }) => sum + messages, 0),
    unread: amounts.reduce((sum, { unread }) => sum + unread, 0),
  }
}

/** What the browser's tab says: whatever shows, new mail is seen there. */
export function tabTitle(words: string, shown: readonly Mailbox[]): string {
  const { unread } = amountIn(shown, 'inbox')
  return `${unread > 0 ? `(${unread}) ` : ''}${words} · Webmail`
}

/** A path of ours, in the same mailbox. */
export function inMailbox(path: string): string {
  const mailbox = query().get('mailbox')
  return mailbox === null ? path : `${path}?mailbox=${encodeURIComponent(mailbox)}`
}
