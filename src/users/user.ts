// Who signs in: a person, to the console, or a mailbox user, to the webmail.
import { DIRECTORY } from '../access/actor.ts'
import type { Uuid } from '../lib/uuid.ts'

export type UserKind = 'person' | 'mailbox_user'

/** Names a user and all that is the user's. */
export interface UserRef {
  readonly kind: UserKind
  /** The user's tenant; of a person, who belongs to none, the DIRECTORY. */
  readonly tenantId: Uuid
  readonly userId: Uuid
}

export function personRef(userId: Uuid): UserRef {
  return { kind: 'person', tenantId: DIRECTORY, userId }
}

export function mailboxUserRef(tenantId: Uuid, userId: Uuid): UserRef {
  return { kind: 'mailbox_user', tenantId, userId }
}
