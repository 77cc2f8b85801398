// Finds the user who signs in with an address, or makes one who cannot sign in yet.
import { DIRECTORY } from '../access/actor.ts'
import { sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'
import type { UserKind } from './user.ts'

/** Locked until the transaction ends, so that nobody removes them meanwhile. */
export async function findOrMakePerson(tx: Tx, email: string): Promise<Uuid> {
  return (await findOrMake(tx, 'person', DIRECTORY, email)).id
}

/** Undefined when the address belongs to a user of another tenant. */
export async function findOrMakeMailboxUser(tx: Tx, tenantId: Uuid, login: string): Promise<Uuid | undefined> {
  const user = await findOrMake(tx, 'mailbox_user', tenantId, login)
  return user.tenantId === tenantId ? user.id : undefined
}

async function findOrMake(
  tx: Tx,
  kind: UserKind,
  tenantId: Uuid,
  login: string,
): Promise<{ tenantId: Uuid; id: Uuid }> {
  // Setting what is so already waits for whoever is about to remove the user, and locks the row.
  const row = await tx.first(sql<{ tenantId: Uuid; id: Uuid }>`
    insert into users as u (tenant_id, id, kind, login) values (${tenantId}, ${newId()}, ${kind}, ${login})
    on conflict (kind, login) do update set login = u.login
    returning u.tenant_id as "tenantId", u.id`)
  return row as { tenantId: Uuid; id: Uuid }
}
