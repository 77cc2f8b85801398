// What lies in one folder of a mailbox, newest first.
import type { FolderName, FolderPage as Listed, Mailboxes } from '../../../src/servers/webmail/schemas.ts'
import { List } from '../../ui/list.tsx'
import { Page } from '../../ui/page.tsx'
import { usePages, useQuery } from '../../ui/query.ts'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { type Mailbox, mailboxShown } from '../mailbox.ts'

type Message = Listed['items'][number]

const TITLES: Record<FolderName, string> = {
  inbox: 'Inbox',
  sent: 'Sent',
  archive: 'Archive',
  spam: 'Spam',
  trash: 'Trash',
}

const EMPTY: Record<FolderName, string> = {
  inbox: 'New mail shows here as it comes in.',
  sent: 'What is sent from this mailbox is kept here.',
  archive: 'What you keep out of the inbox is here.',
  spam: 'Mail that looks like spam is put here.',
  trash: 'What you delete stays here for a while.',
}

export function FolderPage({ folder }: { folder: FolderName }) {
  const mailboxes = useQuery<Mailboxes>('/data/mailboxes')
  return (
    <Page title={TITLES[folder]} product="Webmail">
      <Loaded query={mailboxes}>
        {(all) => {
          const mailbox = mailboxShown(all)
          if (mailbox) return <Messages key={`${mailbox.id} ${folder}`} mailbox={mailbox} folder={folder} />
          return <EmptyState title="You have no mailbox">Ask whoever invited you to give you one.</EmptyState>
        }}
      </Loaded>
    </Page>
  )
}

function Messages({ mailbox, folder }: { mailbox: Mailbox; folder: FolderName }) {
  const messages = usePages<Message>(`/data/mailboxes/${mailbox.id}/messages?folder=${folder}`)
  return (
    <List pages={messages} empty={<EmptyState title={`${TITLES[folder]} is empty`}>{EMPTY[folder]}</EmptyState>}>
      {(items) => (
        <ul class="plain card messages">
          {items.map((message) => (
            <Row key={message.id} message={message} folder={folder} />
          ))}
        </ul>
      )}
    </List>
  )
}

function Row({
  message: { id, from, to, subject, preview, at, isRead },
  folder,
}: {
  message: Message
  folder: FolderName
}) {
  const others = folder === 'sent' ? to : [from ?? { name: null, address: 'Unknown sender' }]
  return (
    <li class={isRead ? undefined : 'unread'}>
      <a href={`/message/${id}`}>
        <span class="who">
          {folder === 'sent' && 'To: '}
          {others.map(({ name, address }) => name || address).join(', ')}
        </span>
        <span class="what">
          <span>{subject || '(no subject)'}</span>
          <small>{preview}</small>
        </span>
        <Time at={at} />
      </a>
    </li>
  )
}
