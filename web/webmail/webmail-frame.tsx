// The frame of the webmail: the mailbox, and its folders with what is unread in them.
import type { ComponentChildren } from 'preact'
import type { Mailboxes } from '../../src/servers/webmail/schemas.ts'
import { type Destination, Frame } from '../ui/frame.tsx'
import { useQuery } from '../ui/query.ts'
import { go, path } from '../ui/router.ts'
import { session } from '../ui/session.ts'
import { inMailbox, type Mailbox, mailboxShown } from './mailbox.ts'

const FOLDERS = [
  { path: '/inbox', label: 'Inbox', icon: 'inbox', folder: 'inbox' },
  { path: '/sent', label: 'Sent', icon: 'sent', folder: 'sent' },
  { path: '/archive', label: 'Archive', icon: 'archive', folder: 'archive' },
  { path: '/spam', label: 'Spam', icon: 'spam', folder: 'spam' },
  { path: '/trash', label: 'Trash', icon: 'trash', folder: 'trash' },
] as const

export function WebmailFrame({ product, children }: { product: string; children: ComponentChildren }) {
  const mailboxes = useQuery<Mailboxes>('/data/mailboxes').data
  const shown = mailboxes && mailboxShown(mailboxes)
  const { login, name } = session()
  const destinations: Destination[] = FOLDERS.map(({ folder, ...to }) => ({
    ...to,
    href: inMailbox(to.path),
    count: shown && countInWords(shown.unread[folder]),
  }))
  return (
    <Frame
      product={product}
      destinations={destinations}
      user={{ login, name }}
      above={mailboxes && shown && <MailboxSwitch mailboxes={mailboxes.items} shown={shown} />}
    >
      {children}
    </Frame>
  )
}

/** What the server counts at most. */
const MOST_COUNTED = 1_000

function countInWords(unread: number): string | undefined {
  if (unread === 0) return undefined
  return unread >= MOST_COUNTED ? '999+' : String(unread)
}

function MailboxSwitch({ mailboxes, shown }: { mailboxes: readonly Mailbox[]; shown: Mailbox }) {
  if (mailboxes.length === 1) return <p class="who">{shown.address}</p>
  return (
    <label>
      <span class="unseen">Mailbox</span>
      <select value={shown.id} onChange={({ currentTarget }) => go(`${path()}?mailbox=${currentTarget.value}`)}>
        {mailboxes.map(({ id, address }) => (
          <option key={id} value={id}>
            {address}
          </option>
        ))}
      </select>
    </label>
  )
}
