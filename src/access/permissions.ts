// Who may do what, in one table. Each verb asks it; no server decides.
import type { Actor } from './actor.ts'
import { problem } from './problem.ts'

/** specification.md#scopes */
export const SCOPES = [
  'mailboxes:read',
  'messages:read',
  'messages:write',
  'messages:send',
  'attachments:write',
  'attachments:read',
  'webhooks:read',
  'webhooks:write',
] as const

export type Scope = (typeof SCOPES)[number]

/** Of a person in a tenant. */
export const PERSON_ROLES = ['owner', 'admin'] as const

export type PersonRole = (typeof PERSON_ROLES)[number]

interface Permission {
  /** The scope that an API key needs; null: no key may. */
  scope: Scope | null
  owner: boolean
  admin: boolean
  /** In mailboxes that the user has: to read, to write, or not at all. */
  mailboxUser: 'read' | 'write' | null
  /** A person must have signed in within the last ten minutes: it makes or shows a secret, changes a person, or opens content to people. */
  stepUp?: true
}

/**
 * An Owner may do everything of the tenant. An Admin reads all activity and tries again what failed, and neither makes nor
 * shows a secret, nor ends data. The operator may do everything. specification.md#roles
 */
export const PERMISSIONS = {
  readMailboxes: { scope: 'mailboxes:read', owner: true, admin: true, mailboxUser: 'read' },
  readDomains: { scope: 'mailboxes:read', owner: true, admin: true, mailboxUser: null },
  readMessages: { scope: 'messages:read', owner: true, admin: true, mailboxUser: 'read' },
  fileMessages: { scope: 'messages:write', owner: true, admin: false, mailboxUser: 'write' },
  sendMessages: { scope: 'messages:send', owner: false, admin: false, mailboxUser: 'write' },
  endMessages: { scope: null, owner: true, admin: false, mailboxUser: 'write' },
  retryMessages: { scope: null, owner: true, admin: true, mailboxUser: null },
  cancelMessages: { scope: null, owner: true, admin: false, mailboxUser: null },
  holdMessages: { scope: null, owner: true, admin: false, mailboxUser: null },
  readEvents: { scope: 'messages:read', owner: true, admin: true, mailboxUser: 'read' },
  triggerEvents: { scope: null, owner: true, admin: false, mailboxUser: null },
  readAttachments: { scope: 'attachments:read', owner: true, admin: true, mailboxUser: 'read' },
  writeAttachments: { scope: 'attachments:write', owner: false, admin: false, mailboxUser: 'write' },
  readWebhooks: { scope: 'webhooks:read', owner: true, admin: true, mailboxUser: null },
  writeWebhooks: { scope: 'webhooks:write', owner: true, admin: false, mailboxUser: null },
  showWebhookSecrets: { scope: 'webhooks:write', owner: true, admin: false, mailboxUser: null, stepUp: true },
  replayDeliveries: { scope: 'webhooks:write', owner: true, admin: true, mailboxUser: null },
  readSuppressions: { scope: null, owner: true, admin: true, mailboxUser: null },
  manageSuppressions: { scope: null, owner: true, admin: false, mailboxUser: null },
  checkDomains: { scope: null, owner: true, admin: true, mailboxUser: null },
  manageDomains: { scope: null, owner: true, admin: false, mailboxUser: null },
  manageMailboxes: { scope: null, owner: true, admin: false, mailboxUser: null },
  readApplications: { scope: null, owner: true, admin: true, mailboxUser: null },
  manageApplications: { scope: null, owner: true, admin: false, mailboxUser: null },
  makeKeys: { scope: null, owner: true, admin: false, mailboxUser: null, stepUp: true },
  readPeople: { scope: null, owner: true, admin: true, mailboxUser: null },
  managePeople: { scope: null, owner: true, admin: false, mailboxUser: null, stepUp: true },
  manageSingleSignOn: { scope: null, owner: true, admin: false, mailboxUser: null, stepUp: true },
  manageMailboxUsers: { scope: null, owner: true, admin: false, mailboxUser: null, stepUp: true },
  readTenant: { scope: null, owner: true, admin: true, mailboxUser: null },
  manageTenant: { scope: null, owner: true, admin: false, mailboxUser: null },
  showContent: { scope: null, owner: true, admin: false, mailboxUser: null, stepUp: true },
  readRequests: { scope: null, owner: true, admin: true, mailboxUser: null },
  readAudit: { scope: null, owner: true, admin: true, mailboxUser: null },
} as const satisfies Record<string, Permission>

export type Action = keyof typeof PERMISSIONS

/** Whether the table lets an actor do this; of a mailbox user, in any of the user's mailboxes. */
export function mayDo(actor: Actor, action: Action): boolean {
  const permission: Permission = PERMISSIONS[action]
  switch (actor.kind) {
    case 'application':
      return permission.scope !== null && actor.scopes.has(permission.scope)
    case 'person':
      return permission[actor.role]
    case 'mailbox_user':
      return permission.mailboxUser !== null
    case 'operator':
      return true
  }
}

/** @throws Problem insufficient_scope for a key, not_allowed for anybody else, sign_in_again for a person who signed in long ago */
export function assertMay(actor: Actor, action: Action): void {
  const { scope, stepUp }: Permission = PERMISSIONS[action]
  if (mayDo(actor, action)) {
    if (stepUp && actor.kind === 'person' && !actor.signedInRecently) throw problem('sign_in_again')
    return
  }
  if (actor.kind !== 'application' || scope === null) throw problem('not_allowed')
  throw problem('insufficient_scope', { details: { required: [scope] } })
}
