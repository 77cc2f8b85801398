// Which addresses of a tenant are stopped, and how many there are: who changes that holds the tenant's row until the commit, so
// that the count is right whoever comes at once, and a send that begins afterwards knows whether to look (ADR 56).
import type { Realm } from '../access/actor.ts'
import { sql, type Tx } from '../lib/sql.ts'
import { newId, type Uuid } from '../lib/uuid.ts'

/** Of a tenant, in all its environments. specification.md#stopped-addresses */
export const MOST_SUPPRESSIONS = 1_000_000

export type SuppressionReason = 'manual' | 'import' | 'bounce' | 'complaint'

export interface NewSuppression {
  environmentId: Uuid
  /** As `suppressionKey` gives it. */
  address: string
  reason: SuppressionReason
  /** Who stopped it, or the message that brought it about: one of the three. */
  madeByPerson: Uuid | null
  madeByAccount: string | null
  messageId: Uuid | null
  note: string | null
}

/** How many there are. Nobody else changes that before the transaction ends. Undefined when there is no such tenant. */
export async function lockSuppressions(tx: Tx, tenantId: Uuid): Promise<number | undefined> {
  const tenant = await tx.first(sql<{ suppressions: number }>`
    select suppressions from tenants where id = ${tenantId} for no key update`)
  return tenant?.suppressions
}

/**
 * Adds those that are not stopped yet, while there is room, in the order in which they are given. Whoever calls has the
 * tenant's row. Gives those that were added.
 */
export async function insertSuppressions(
  tx: Tx,
  tenantId: Uuid,
  suppressions: readonly NewSuppression[],
  room: number,
): Promise<{ id: Uuid; address: string }[]> {
  const rows = suppressions.map((one) => ({
    environment_id: one.environmentId,
    address: one.address,
    id: newId(),
    reason: one.reason,
    made_by_person: one.madeByPerson,
    made_by_account: one.madeByAccount,
    message_id: one.messageId,
    note: one.note,
  }))
  const added = await tx.rows(sql<{ id: Uuid; address: string }>`
    insert into suppressions (tenant_id, environment_id, address, id, reason, made_by_person, made_by_account, message_id, note)
    select ${tenantId}, n.environment_id, n.address, n.id, n.reason, n.made_by_person, n.made_by_account, n.message_id, n.note
    from (
      select distinct on (g.environment_id, g.address) g.*
      from rows from (json_to_recordset(${JSON.stringify(rows)}::json) as (environment_id uuid, address text, id uuid,
        reason text, made_by_person uuid, made_by_account text, message_id uuid, note text)) with ordinality as g (
        environment_id, address, id, reason, made_by_person, made_by_account, message_id, note, n)
      where not exists (
        select from suppressions s
        where s.tenant_id = ${tenantId} and s.environment_id = g.environment_id and s.address = g.address)
      order by g.environment_id, g.address, g.n
    ) n
    order by n.n limit ${Math.max(0, room)}
    returning id, address`)
  await addToCount(tx, tenantId, added.length)
  return added
}

/** Ends some. Whoever calls has the tenant's row. Gives those that were there. */
export async function deleteSuppressions(
  tx: Tx,
  { tenantId, environmentId }: Realm,
  by: { id: Uuid } | { address: string },
): Promise<{ id: Uuid; address: string }[]> {
  const { id = null, address = null } = by as { id?: Uuid; address?: string }
  const rows = await tx.rows(sql<{ id: Uuid; address: string }>`
    delete from suppressions s
    where s.tenant_id = ${tenantId} and s.environment_id = ${environmentId}
      and s.address = coalesce(${address}, (
        select f.address from suppressions f
        where f.tenant_id = ${tenantId} and f.id = ${id} and f.environment_id = ${environmentId}))
    returning s.id, s.address`)
  await addToCount(tx, tenantId, -rows.length)
  return rows
}

async function addToCount(tx: Tx, tenantId: Uuid, count: number): Promise<void> {
  if (count === 0) return
  await tx.rows(sql`update tenants set suppressions = suppressions + ${count} where id = ${tenantId}`)
}
