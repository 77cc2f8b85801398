// What the sessions of streams stand for at this moment. Looking is no use of them.
import type { Db } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { mailboxesOfUsers } from '../../mailboxes/mailboxes-of-users.ts'
import { standingSessions } from '../../users/sessions.ts'
import type { UserKind } from '../../users/user.ts'
import type { SessionStanding } from './changes-streams.ts'

/** By the session's id; nothing for one that has ended, or that lets its user see nothing. */
export async function standingsOf(
  db: Db,
  kind: UserKind,
  sessionIds: readonly Uuid[],
): Promise<Map<Uuid, SessionStanding>> {
  const found = await standingSessions(db, kind, sessionIds)
  const sessions = found.filter((session) => session.whole && !session.mustAddFactor)
  const mailboxes = kind === 'mailbox_user' ? await mailboxesOfUsers(db, sessions) : undefined
  return new Map(
    sessions.map(({ sessionId, userId, tenantId, inTenantId, role }) => [
      sessionId,
      { tenantId: inTenantId ?? tenantId, role, mailboxes: mailboxes ? (mailboxes.get(userId) ?? new Map()) : null },
    ]),
  )
}
