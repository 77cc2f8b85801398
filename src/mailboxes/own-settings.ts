// How a mailbox user wants the webmail: kept here, so that each of the user's browsers shows it so.
import type { MailboxUser } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import { holdUser } from '../users/lock-user.ts'
import { mailboxUserRef } from '../users/user.ts'

export const THEMES = ['system', 'light', 'dark'] as const

export interface OwnSettings {
  /** Whether keys do something by themselves. */
  shortcuts: boolean
  theme: (typeof THEMES)[number]
  /** Whether browsers that allow it say that mail has come. */
  notifications: boolean
}

const UNTIL_CHANGED: OwnSettings = { shortcuts: true, theme: 'system', notifications: false }

export async function readOwnSettings(db: Db, actor: MailboxUser): Promise<OwnSettings> {
  assertMay(actor, 'readMailboxes')
  const found = await db.first(sql<OwnSettings>`
    select shortcuts, theme, notifications from mailbox_user_settings
    where tenant_id = ${actor.tenantId} and user_id = ${actor.mailboxUserId}`)
  return found ?? UNTIL_CHANGED
}

/** What is not named stays as it is, also when another request changes it meanwhile. @throws Problem not_signed_in for a user who is gone */
export async function changeOwnSettings(
  database: Database,
  actor: MailboxUser,
  { shortcuts = null, theme = null, notifications = null }: { [K in keyof OwnSettings]?: OwnSettings[K] | null },
): Promise<void> {
  assertMay(actor, 'readMailboxes')
  const { tenantId, mailboxUserId: userId } = actor
  await database.transaction(async (tx) => {
    if (!(await holdUser(tx, mailboxUserRef(tenantId, userId)))) throw problem('not_signed_in')
    await tx.rows(sql`
      insert into mailbox_user_settings as s (tenant_id, user_id, shortcuts, theme, notifications)
      values (${tenantId}, ${userId}, coalesce(${shortcuts}::boolean, ${UNTIL_CHANGED.shortcuts}),
        coalesce(${theme}, ${UNTIL_CHANGED.theme}), coalesce(${notifications}::boolean, ${UNTIL_CHANGED.notifications}))
      on conflict (tenant_id, user_id) do update set shortcuts = coalesce(${shortcuts}::boolean, s.shortcuts),
        theme = coalesce(${theme}, s.theme), notifications = coalesce(${notifications}::boolean, s.notifications)`)
    await recordAct(tx, actor, { operation: 'settings.change', resourceType: 'mailbox_user', resourceId: userId })
  })
}
