// Shows the console: finds out who is signed in, and shows the page that the path names.
import type { ComponentType } from 'preact'
import { AccountPage } from '../ui/account/account-page.tsx'
import { matchRoute } from '../ui/match-route.ts'
import { NotFoundPage } from '../ui/not-found-page.tsx'
import { path } from '../ui/router.ts'
import { session } from '../ui/session.ts'
import { start } from '../ui/start.tsx'
import { ConsoleFrame } from './console-frame.tsx'
import { LinkSingleSignOn } from './link-single-sign-on.tsx'
import type { PageOf } from './pages.ts'
import { here } from './place.ts'
import { ShownPages } from './shown-pages.ts'

const PRODUCT = 'Console'
/** What is fetched again when an event was appended, where it shows. */
const LIVE = [
  ...['/data/overview', '/data/events', '/data/messages', '/data/bounces', '/data/deliveries', '/data/webhooks'],
  ...['/data/domains', '/data/mailboxes'],
]
const NOTICES =
  'An endpoint fails or is disabled, a domain fails, the plan runs out, somebody signs in as you from a new device.'

/** `pages`: all that there are, in the order of the navigation. */
export function showConsole(pages: readonly PageOf[]): void {
  start(() => <Console pages={pages} />, {
    knows: (at) => pageAt(pages, at) !== undefined,
    frame: '/data/surroundings',
    changes: here('/changes'),
    // Whatever happens is seen in some of these.
    changed: LIVE,
  })
}

function Console({ pages }: { pages: readonly PageOf[] }) {
  // Until then the own account is all that answers.
  const at = session().mustAddFactor ? '/account' : path()
  const found = pageAt(pages, at)
  return (
    <ShownPages.Provider value={pages}>
      <ConsoleFrame product={PRODUCT}>
        {found ? <found.Shown key={at} {...found.named} /> : <NotFoundPage product={PRODUCT} />}
      </ConsoleFrame>
    </ShownPages.Provider>
  )
}

/** The page at a path, with what the path names. */
function pageAt(
  pages: readonly PageOf[],
  at: string,
): { Shown: ComponentType<Record<string, string>>; named: Record<string, string> } | undefined {
  if (at === '/account') return { Shown: Account, named: {} }
  for (const { path, page } of pages) {
    const named = matchRoute(path, at)
    if (named) return { Shown: page, named }
  }
  return undefined
}

function Account() {
  return (
    <AccountPage product={PRODUCT} noticesAbout={NOTICES}>
      <LinkSingleSignOn />
    </AccountPage>
  )
}
