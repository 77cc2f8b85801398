// The webmail: finds out who is signed in, and shows the page that the path names.
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { AccountPage } from '../ui/account/account-page.tsx'
import { matchRoute } from '../ui/match-route.ts'
import { NotFoundPage } from '../ui/not-found-page.tsx'
import { go, path } from '../ui/router.ts'
import { start } from '../ui/start.tsx'
import { RecoveryAddressCard } from './account/recovery-address.tsx'
import { FolderPage } from './folder/folder-page.tsx'
import { MessagePage } from './message/message-page.tsx'
import { WebmailFrame } from './webmail-frame.tsx'

const PRODUCT = 'Webmail'

const PAGES: readonly [string, ComponentType][] = [
  ['/', ToInbox],
  ['/inbox', () => <FolderPage key="inbox" folder="inbox" />],
  ['/sent', () => <FolderPage key="sent" folder="sent" />],
  ['/archive', () => <FolderPage key="archive" folder="archive" />],
  ['/spam', () => <FolderPage key="spam" folder="spam" />],
  ['/trash', () => <FolderPage key="trash" folder="trash" />],
  ['/message/:id', MessagePage],
  ['/account', ToAccount],
]

const pageAt = (at: string) => PAGES.find(([pattern]) => matchRoute(pattern, at))?.[1]

function ToAccount() {
  return (
    <AccountPage product={PRODUCT}>
      <RecoveryAddressCard />
    </AccountPage>
  )
}

function ToInbox() {
  useEffect(() => go('/inbox', { replace: true }), [])
  return null
}

function Webmail() {
  const Shown = pageAt(path())
  return <WebmailFrame product={PRODUCT}>{Shown ? <Shown /> : <NotFoundPage product={PRODUCT} />}</WebmailFrame>
}

start(Webmail, {
  knows: (at) => pageAt(at) !== undefined,
  frame: '/data/mailboxes',
  changes: '/changes',
  changed: ['/data/mailboxes'],
})
