// What the webmail looks like to a user, before anything else is known of the page that is asked for.
import { type Db, sql } from '../lib/sql.ts'
import type { UserRef } from '../users/user.ts'
import type { OwnSettings } from './own-settings.ts'

export async function themeOfUser(db: Db, { tenantId, userId }: Omit<UserRef, 'kind'>): Promise<OwnSettings['theme']> {
  const found = await db.first(sql<Pick<OwnSettings, 'theme'>>`
    select theme from mailbox_user_settings where tenant_id = ${tenantId} and user_id = ${userId}`)
  return found?.theme ?? 'system'
}
