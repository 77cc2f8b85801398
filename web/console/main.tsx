// The console: finds out who is signed in, and shows the page that the path names.
import { type ComponentType, render } from 'preact'
import { AccountPage } from '../ui/account/account-page.tsx'
import { followChanges } from '../ui/live.ts'
import { matchRoute } from '../ui/match-route.ts'
import { NotFoundPage } from '../ui/not-found-page.tsx'
import { changed } from '../ui/query.ts'
import { followLinks, path } from '../ui/router.ts'
import { StartFault } from '../ui/start-fault.tsx'
import { ConsoleFrame } from './console-frame.tsx'
import { LinkSingleSignOn } from './link-single-sign-on.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { PeoplePage } from './people/people-page.tsx'
import { here, loadSession } from './session.ts'

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
  const Shown = pageAt(path())
  return <ConsoleFrame product={PRODUCT}>{Shown ? <Shown /> : <NotFoundPage product={PRODUCT} />}</ConsoleFrame>
}

const app = document.getElementById('app') as HTMLElement
loadSession().then(
  () => {
    followLinks((at) => pageAt(at) !== undefined)
    followChanges({
      url: here('/changes'),
      onChange: () => void changed('/data/overview'),
      onRefused: () => void loadSession().catch(() => {}),
    })
    render(<Console />, app)
  },
  (fault: Error) => render(<StartFault fault={fault} />, app),
)
