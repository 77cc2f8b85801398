// The frame of the webmail: the mailbox, and its folders with what is unread in them.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { FolderName } from '../../src/servers/webmail/schemas.ts'
import { type Destination, Frame } from '../ui/frame.tsx'
import { go, path, query } from '../ui/router.ts'
import { session } from '../ui/session.ts'
import { composeHref } from './answer-links.ts'
import { landingOfMail } from './mail-page.tsx'
import { amountIn, inMailbox, type Mailbox, shownOf, useMailboxes } from './mailbox.ts'
import { FOLDERS, hrefOf, messageAt, placeAt } from './place.ts'

const ICONS = { inbox: 'inbox', sent: 'sent', archive: 'archive', spam: 'spam', trash: 'trash' } as const

export function WebmailFrame({ product, children }: { product: string; children: ComponentChildren }) {
  const mailboxes = useMailboxes().data?.items ?? []
  const place = placeAt(path(), query())
  const shown = shownOf(mailboxes, place.mailbox)
  const { login, name } = session()
  const messageId = messageAt(path())
  const folders = Object.entries(FOLDERS) as [FolderName, string][]
  const destinations = folders.flatMap(([folder, label]): Destination[] => {
    const to: Destination = {
      path: `/${folder}`,
      href: inMailbox(`/${folder}`),
      label,
      icon: ICONS[folder],
      isHere: path() === `/${folder}` || (messageId !== undefined && place.list === folder),
      count: countInWords(amountIn(shown, folder).unread),
    }
    return folder === 'sent' ? [to, draftsOf(shown)] : [to]
  })
  // What an earlier page of this browser left unsaved or unsent.
  const mayWrite = mailboxes.some(({ access }) => access === 'write')
  useEffect(() => {
    if (mayWrite) void import('./drafts/draft-store.ts').then(({ startDrafts }) => startDrafts())
  }, [mayWrite])
  return (
    <Frame
      product={product}
      destinations={destinations}
      user={{ login, name }}
      hasSettings
      landing={landingOfMail}
      find={mailboxes.some(({ access }) => access === 'write') && <NewMessage />}
      above={<MailboxSwitch mailboxes={mailboxes} shown={place.mailbox} />}
    >
      {children}
    </Frame>
  )
}

function NewMessage() {
  return (
    <a class="button primary new-message" href={composeHref(placeAt(path(), query()).mailbox)}>
      New message
    </a>
  )
}

function draftsOf(shown: readonly Mailbox[]): Destination {
  const total = shown.reduce((sum, { drafts }) => sum + drafts.total, 0)
  const failed = shown.reduce((sum, { drafts }) => sum + drafts.failed, 0)
  return {
    path: '/drafts',
    href: inMailbox('/drafts'),
    label: 'Drafts',
    icon: 'drafts',
    count: failed > 0 ? `${number.format(failed)} not sent` : countInWords(total),
  }
}

const number = new Intl.NumberFormat('en')

const countInWords = (unread: number): string | undefined => (unread === 0 ? undefined : number.format(unread))

/** One of them, or all. */
function MailboxSwitch({ mailboxes, shown }: { mailboxes: readonly Mailbox[]; shown: string | undefined }) {
  if (mailboxes.length < 2) return mailboxes[0] ? <p class="who">{mailboxes[0].address}</p> : null
  const place = placeAt(path(), query())
  return (
    <label>
      <span class="unseen">Mailbox</span>
      <select
        value={shown ?? ''}
        onChange={({ currentTarget }) => go(hrefOf({ ...place, mailbox: currentTarget.value || undefined }))}
      >
        <option value="">All mailboxes</option>
        {mailboxes.map(({ id, address }) => (
          <option key={id} value={id}>
            {address}
          </option>
        ))}
      </select>
    </label>
  )
}
