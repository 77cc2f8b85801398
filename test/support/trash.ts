// Messages that have lain in the trash for a while, whether anyone had touched their entries or not.
import type { Database } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'

/** As if every entry of these messages had been put there so long ago (`31 days`). */
export async function trash(database: Database, ids: readonly Uuid[], ago: string): Promise<void> {
  await database.pool.query(
    `with touched as (
       update messages set in_sent = false where id = any ($1) and in_sent
       returning tenant_id, id, mailbox_id, environment_id, created_at, seq
     )
     insert into message_entries (tenant_id, message_id, mailbox_id, environment_id, created_at, seq, folder, is_read,
       is_starred)
     select tenant_id, id, mailbox_id, environment_id, created_at, seq, 'sent', true, false from touched`,
    [ids],
  )
  await database.pool.query(
    `update message_entries set folder = 'trash', trashed_at = clock_timestamp() - $2::interval where message_id = any ($1)`,
    [ids, ago],
  )
}
