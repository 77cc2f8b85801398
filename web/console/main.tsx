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
import { OverviewPage } from './overview/overview-page.tsx'
import { PeoplePage } from './people/people-page.tsx'
import { here } from './place.ts'

const PRODUCT = 'Console'
const NOTICES =
  'An endpoint fails or is disabled, a domain fails, the plan runs out, somebody signs in as you from a new device.'

const PAGES: readonly [string, ComponentType][] = [
  ['/', OverviewPage],
  ['/people', PeoplePage],
  [
    '/account',
    () => (
      <AccountPage product={PRODUCT} noticesAbout={NOTICES}>
        <LinkSingleSignOn />
      </AccountPage>
    ),
  ],
]

const pageAt = (at: string) => PAGES.find(([pattern]) => matchRoute(pattern, at))?.[1]

function Console() {
  // Until then the own account is all that answers.
  const Shown = pageAt(session().mustAddFactor ? '/account' : path())
  return <ConsoleFrame product={PRODUCT}>{Shown ? <Shown /> : <NotFoundPage product={PRODUCT} />}</ConsoleFrame>
}

start(Console, {
  knows: (at) => pageAt(at) !== undefined,
  frame: '/data/surroundings',
  changes: here('/changes'),
  // Of each the page shows a part.
  changed: ['/data/overview'],
})
