// The pages of the console, in the order in which one goes through them. A new one is a folder and a line here.
import type { ComponentType } from 'preact'
import type { IconName } from '../ui/icon.tsx'
import { later } from '../ui/later.tsx'
import { AppPage } from './apps/app-page.tsx'
import { AppsPage } from './apps/apps-page.tsx'
import { DeliveryPage } from './deliveries/delivery-page.tsx'
import { EventsPage } from './events/events-page.tsx'
import { MessagePage } from './messages/message-page.tsx'
import { MessagesPage } from './messages/messages-page.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { EndpointPage } from './webhooks/endpoint-page.tsx'
import { WebhooksPage } from './webhooks/webhooks-page.tsx'

export interface PageOf {
  /** As `matchRoute` takes it. */
  path: string
  page: ComponentType<Record<string, string>>
  /** How the navigation leads there; absent for a page that others lead to. */
  label?: string
  icon?: IconName
  /** What one may call it beside its label, for whoever looks for it. */
  words?: string
  /** What pages begin with that belong to it, though not by their own path. */
  also?: string
  /** Whether the navigation leads there for whoever is signed in; for everybody unless given. */
  isFor?: () => boolean
}

/** Fetched once, when the first of them is shown. */
const more = () => import('./more-pages.ts')
const AuditPage = later(() => more().then((pages) => pages.AuditPage))
const BouncesPage = later(() => more().then((pages) => pages.BouncesPage))
const DomainPage = later(() => more().then((pages) => pages.DomainPage))
const DomainsPage = later(() => more().then((pages) => pages.DomainsPage))
const MailboxPage = later(() => more().then((pages) => pages.MailboxPage))
const MailboxesPage = later(() => more().then((pages) => pages.MailboxesPage))
const PeoplePage = later(() => more().then((pages) => pages.PeoplePage))
const RequestPage = later(() => more().then((pages) => pages.RequestPage))
const RequestsPage = later(() => more().then((pages) => pages.RequestsPage))
const SettingsPage = later(() => more().then((pages) => pages.SettingsPage))

/** What these pages are also called. */
const BOUNCES = 'stopped addresses suppressions complaints'
const SETTINGS = 'usage plan limits stored retention name content privacy'

export const PAGES: readonly PageOf[] = [
  { path: '/', page: OverviewPage, label: 'Overview', icon: 'overview' },
  { path: '/messages', page: MessagesPage, label: 'Messages', icon: 'messages' },
  { path: '/messages/:messageId', page: MessagePage },
  { path: '/bounces', page: BouncesPage, label: 'Bounces', icon: 'bounces', words: BOUNCES },
  { path: '/events', page: EventsPage, label: 'Events', icon: 'events' },
  {
    path: '/webhooks',
    page: WebhooksPage,
    label: 'Webhooks',
    icon: 'webhooks',
    also: '/deliveries',
    words: 'endpoints',
  },
  { path: '/webhooks/:endpointId', page: EndpointPage },
  { path: '/deliveries/:deliveryId', page: DeliveryPage },
  { path: '/apps', page: AppsPage, label: 'Applications', icon: 'apps', words: 'apps keys' },
  { path: '/apps/:appId', page: AppPage },
  { path: '/domains', page: DomainsPage, label: 'Domains', icon: 'domains', words: 'dns spf dkim dmarc mx records' },
  { path: '/domains/:domainId', page: DomainPage },
  { path: '/mailboxes', page: MailboxesPage, label: 'Mailboxes', icon: 'inbox', words: 'addresses webmail users' },
  { path: '/mailboxes/:mailboxId', page: MailboxPage },
  { path: '/requests', page: RequestsPage, label: 'Requests', icon: 'requests', words: 'refused errors 4xx 5xx' },
  { path: '/requests/:requestId', page: RequestPage },
  { path: '/audit', page: AuditPage, label: 'Audit', icon: 'audit', words: 'log who did what' },
  { path: '/people', page: PeoplePage, label: 'People', icon: 'people', words: 'invite roles' },
  { path: '/settings', page: SettingsPage, label: 'Settings', icon: 'settings', words: SETTINGS },
]
