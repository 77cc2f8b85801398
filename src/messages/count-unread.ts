// How much is unread in the folders of a user's mailboxes. What it costs is bounded, however much lies there.
import type { MailboxUser } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { FOLDERS, type Folder } from './schemas.ts'

/** How many of a folder it looks at, newest first. What the sender has not touched since is in `sent`, and read. */
const MOST_LOOKED_AT = 1_000

/** By mailbox, of each that the user has. */
export async function countUnread(db: Db, actor: MailboxUser): Promise<Map<Uuid, Record<Folder, number>>> {
  assertMay(actor, 'readMessages')
  const mailboxIds = [...actor.mailboxes.keys()]
  const rows = await db.rows(sql<{ mailboxId: Uuid; folder: Folder; unread: number }>`
    select b.mailbox_id as "mailboxId", f.folder, (count(*) filter (where not e.is_read))::integer as unread
    from unnest(${mailboxIds}::uuid[]) as b (mailbox_id)
    cross join unnest(${[...FOLDERS]}::text[]) as f (folder)
    cross join lateral (
      select e.is_read from message_entries e
      where e.tenant_id = ${actor.tenantId} and e.environment_id = ${actor.environmentId}
        and e.mailbox_id = b.mailbox_id and e.folder = f.folder
      order by e.created_at desc, e.seq desc limit ${MOST_LOOKED_AT}
    ) e
    group by b.mailbox_id, f.folder`)
  const none = () => Object.fromEntries(FOLDERS.map((folder) => [folder, 0])) as Record<Folder, number>
  const unread = new Map(mailboxIds.map((id) => [id, none()]))
  for (const row of rows) (unread.get(row.mailboxId) as Record<Folder, number>)[row.folder] = row.unread
  return unread
}
