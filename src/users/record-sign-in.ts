// What a user does about signing in, on record in every tenant that it concerns.
import type { Actor } from '../access/actor.ts'
import type { RequestOrigin } from '../access/request-origin.ts'
import { recordAct } from '../audit/record.ts'
import { sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { noteDevice } from './known-devices.ts'
import type { UserRef } from './user.ts'

export type SignInAct =
  | 'signIn'
  | 'signIn.wrong'
  | 'signIn.wrongCode'
  | 'signOut'
  | 'password.set'
  | 'totp.add'
  | 'totp.remove'
  | 'passkey.add'
  | 'passkey.remove'
  | 'recoveryCodes.make'
  | 'identity.link'
  | 'session.end'
  | 'name.set'
  | 'notices.set'
  | 'recoveryAddress.set'
  | 'recoveryAddress.confirm'
  | 'recoveryAddress.remove'
  | 'reset.ask'

export async function recordSignIn(
  tx: Tx,
  user: UserRef,
  tenants: readonly Uuid[],
  operation: SignInAct,
  origin: RequestOrigin,
): Promise<void> {
  for (const tenantId of tenants) {
    await recordAct(tx, asActor(user, tenantId, origin), { operation, resourceType: 'user', resourceId: user.userId })
  }
  if (operation !== 'signIn') return
  await tx.rows(sql`
    update users set last_seen_at = clock_timestamp() where tenant_id = ${user.tenantId} and id = ${user.userId}`)
  await noteDevice(tx, user, origin)
}

/** Whoever acts on what is their own alone: no permission is asked for, so that a role makes no difference. */
function asActor(user: UserRef, tenantId: Uuid, origin: RequestOrigin): Actor {
  const realm = { tenantId, environmentId: tenantId, origin }
  return user.kind === 'person'
    ? { kind: 'person', personId: user.userId, role: 'admin', signedInRecently: false, ...realm }
    : { kind: 'mailbox_user', mailboxUserId: user.userId, mailboxes: new Map(), ...realm }
}
