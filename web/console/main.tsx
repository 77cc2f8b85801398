// The console: finds out who is signed in, and shows the page that the path names.
import type { ComponentType } from 'preact'
import { AccountPage } from '../ui/account/account-page.tsx'
import { matchRoute } from '../ui/match-route.ts'
import { NotFoundPage } from '../ui/not-found-page.tsx'
import { path } from '../ui/router.ts'
import { session } from '../ui/session.ts'
import { start } from '../ui/start.tsx'
import { ConsoleFrame } from './console-frame.tsx'
import { LinkSingleSignOn } from './link-single-sign-on.tsx'
import { PAGES } from './pages.ts'
import { here } from './place.ts'

const PRODUCT = 'Console'
/** What is fetched again when an event was appended, where it shows. */
const LIVE = ['/data/overview', '/data/events', '/data/messages', '/data/bounces', '/data/deliveries', '/data/webhooks']
const NOTICES =
  'An endpoint fails or is disabled, a domain fails, the plan runs out, somebody signs in as you from a new device.'

function Account() {
  return (
    <AccountPage product={PRODUCT} noticesAbout={NOTICES}>
      <LinkSingleSignOn />
    </AccountPage>
  )
}

/** The page at a path, with what the path names. */
function pageAt(
  at: string,
): { Shown: ComponentType<Record<string, string>>; named: Record<string, string> } | undefined {
  if (at === '/account') return { Shown: Account, named: {} }
  for (const { path, page } of PAGES) {
    const named = matchRoute(path, at)
    if (named) return { Shown: page, named }
  }
  return undefined
}

function Console() {
  // Until then the own account is all that answers.
  const at = session().mustAddFactor ? '/account' : path()
  const found = pageAt(at)
  return (
    <ConsoleFrame product={PRODUCT}>
      {found ? <found.Shown key={at} {...found.named} /> : <NotFoundPage product={PRODUCT} />}
    </ConsoleFrame>
  )
}

start(Console, {
  knows: (at) => pageAt(at) !== undefined,
  frame: '/data/surroundings',
  changes: here('/changes'),
  // Whatever happens is seen in some of these.
  changed: LIVE,
})
