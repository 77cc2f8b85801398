// How the audit log is told: who it was, and where the thing is that something was done to.
import type { ShownAct } from '../../../src/servers/console/audit-schemas.ts'

/** Who did it, and by what. */
export function actorOf(act: ShownAct): { who: string; by: string } {
  switch (act.by) {
    case 'person':
      return { who: act.actorName ?? `Person ${act.personId}`, by: 'Person' }
    case 'mailbox_user':
      return { who: act.actorName ?? `Mailbox user ${act.mailboxUserId}`, by: 'Mailbox user' }
    case 'operator':
      return { who: act.account ?? 'Operator', by: 'Operator of the service' }
    case 'application':
      return { who: act.appName ?? `Application ${act.appId}`, by: `Key ${act.keyName ?? `${act.keyStart ?? ''}…`}` }
  }
}

const NAMES: Readonly<Record<string, string>> = {
  webhook_endpoint: 'Endpoint',
  webhook_delivery: 'Delivery',
  webhook_replay: 'Replay',
  mailbox_user: 'Mailbox user',
  app: 'Application',
  user: 'Account',
  feed: 'Events',
  tenant: 'Organization',
}

/** `Key`; what has no name of its own goes by its type: `Message`. */
export function kindOf(resourceType: string): string {
  const name = NAMES[resourceType] ?? resourceType
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The page of the thing, in the environment where it is; undefined where it has none. `here`: as of a page in this one. */
export function pageOf(act: ShownAct, here: (path: string) => string): string | undefined {
  const { resourceType, resourceId, resourceAppId, resourceEnvironment, resourceName } = act
  const folder = FOLDERS[resourceType]
  if (resourceId === null) return undefined
  if (folder !== undefined) {
    if (resourceEnvironment === null) return undefined
    const mode = resourceEnvironment === 'production' ? '' : `?environment=${encodeURIComponent(resourceEnvironment)}`
    return `/${folder}/${resourceId}${mode}`
  }
  if (resourceName === null) return undefined
  switch (resourceType) {
    case 'app':
      return here(`/apps/${resourceId}`)
    case 'key':
      return resourceAppId === null ? undefined : here(`/apps/${resourceAppId}`)
    case 'domain':
      return here(`/domains/${resourceId}`)
    case 'mailbox':
      return here(`/mailboxes/${resourceId}`)
    case 'person':
      return here('/people')
    default:
      return undefined
  }
}

/** Of what is in one environment. */
const FOLDERS: Readonly<Record<string, string>> = {
  message: 'messages',
  webhook_endpoint: 'webhooks',
  webhook_delivery: 'deliveries',
}

/** What an export was narrowed by, or which address was stopped, in words: `status failed, since 2026-01-01`. */
export function detailsInWords(details: ShownAct['details']): string {
  return Object.entries(details ?? {})
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
