// The webmail: finds out who is signed in, and shows the page that the path names.
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { AccountPage } from '../ui/account/account-page.tsx'
import { later } from '../ui/later.tsx'
import { NotFoundPage } from '../ui/not-found-page.tsx'
import { go, path } from '../ui/router.ts'
import { start } from '../ui/start.tsx'
import { RecoveryAddressCard } from './account/recovery-address.tsx'
import { mailChanged } from './live.ts'
import { MailPage } from './mail-page.tsx'
import { tellWhetherShown } from './notify.ts'
import { FOLDERS, messageAt } from './place.ts'
import { useTheme } from './settings/use-theme.ts'
import { WebmailFrame } from './webmail-frame.tsx'

const PRODUCT = 'Webmail'

const PAGES: Record<string, ComponentType> = {
  '/': ToInbox,
  '/account': ToAccount,
  '/compose': later(async () => (await import('./compose/compose-page.tsx')).ComposePage),
  '/drafts': later(async () => (await import('./drafts/drafts-page.tsx')).DraftsPage),
  '/search': MailPage,
  '/settings': later(async () => (await import('./settings/settings-page.tsx')).SettingsPage),
  ...Object.fromEntries(Object.keys(FOLDERS).map((folder) => [`/${folder}`, MailPage])),
}

const pageAt = (at: string): ComponentType | undefined =>
  messageAt(at) === undefined ? (Object.hasOwn(PAGES, at) ? PAGES[at] : undefined) : MailPage

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
  useTheme()
  const Shown = pageAt(path())
  return <WebmailFrame product={PRODUCT}>{Shown ? <Shown /> : <NotFoundPage product={PRODUCT} />}</WebmailFrame>
}

start(Webmail, {
  knows: (at) => pageAt(at) !== undefined,
  frame: '/data/mailboxes',
  changes: '/changes',
  changed: [],
  onChange: mailChanged,
})
tellWhetherShown()
