// The pages of the console, in the order in which one goes through them. A new one is a folder and a line here.
import type { ComponentType } from 'preact'
import type { IconName } from '../ui/icon.tsx'
import { EventsPage } from './events/events-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { PeoplePage } from './people/people-page.tsx'

interface PageOf {
  /** As `matchRoute` takes it. */
  path: string
  page: ComponentType<Record<string, string>>
  /** How the navigation leads there; absent for a page that others lead to. */
  label?: string
  icon?: IconName
}

export const PAGES: readonly PageOf[] = [
  { path: '/', page: OverviewPage, label: 'Overview', icon: 'overview' },
  { path: '/events', page: EventsPage, label: 'Events', icon: 'events' },
  { path: '/people', page: PeoplePage, label: 'People', icon: 'people' },
]
