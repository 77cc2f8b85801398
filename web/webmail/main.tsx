// The webmail: finds out who is signed in, and shows the page that the path names.
import { type ComponentType, render } from 'preact'
import { useEffect } from 'preact/hooks'
import { AccountPage } from '../ui/account/account-page.tsx'
import { followChanges } from '../ui/live.ts'
import { matchRoute } from '../ui/match-route.ts'
import { NotFoundPage } from '../ui/not-found-page.tsx'
import { changed } from '../ui/query.ts'
import { followLinks, go, path } from '../ui/router.ts'
import { StartFault } from '../ui/start-fault.tsx'
import { FolderPage } from './folder/folder-page.tsx'
import { loadSession } from './session.ts'
import { WebmailFrame } from './webmail-frame.tsx'

const PRODUCT = 'Webmail'

const PAGES: readonly [string, ComponentType][] = [
  ['/', ToInbox],
  ['/inbox', () => <FolderPage key="inbox" folder="inbox" />],
  ['/sent', () => <FolderPage key="sent" folder="sent" />],
  ['/archive', () => <FolderPage key="archive" folder="archive" />],
  ['/spam', () => <FolderPage key="spam" folder="spam" />],
  ['/trash', () => <FolderPage key="trash" folder="trash" />],
  ['/account', () => <AccountPage product={PRODUCT} />],
]

const pageAt = (at: string) => PAGES.find(([pattern]) => matchRoute(pattern, at))?.[1]

function ToInbox() {
  useEffect(() => go('/inbox', { replace: true }), [])
  return null
}

function Webmail() {
  const Shown = pageAt(path())
  return <WebmailFrame product={PRODUCT}>{Shown ? <Shown /> : <NotFoundPage product={PRODUCT} />}</WebmailFrame>
}

const app = document.getElementById('app') as HTMLElement
loadSession().then(
  () => {
    followLinks((at) => pageAt(at) !== undefined)
    followChanges({
      url: '/changes',
      onChange: () => void changed('/data/mailboxes'),
      onRefused: () => void loadSession().catch(() => {}),
    })
    render(<Webmail />, app)
  },
  (fault: Error) => render(<StartFault fault={fault} />, app),
)
