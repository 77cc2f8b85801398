// Stops mail to an address. specification.md#stopped-addresses
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, invalidField, overCapacity, type Problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { isEmailAddress, isStorableText } from '../lib/formats.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { suppressionKey } from './suppressed.ts'
import { insertSuppressions, lockSuppressions, MOST_SUPPRESSIONS, type SuppressionReason } from './tenant-stops.ts'

export interface Stopped {
  id: Uuid
  /** As it is compared. */
  address: string
  /** False when it was stopped already: nothing has changed. */
  added: boolean
}

const MOST_NOTE_CHARACTERS = 200

/**
 * Nothing is submitted for it from the next send on, nor of what waits and no worker has in hands.
 * @throws Problem not_allowed, validation_error, plan_capacity_exceeded
 */
export async function addSuppression(
  database: Database,
  actor: TenantActor,
  { address, note = null }: { address: string; note?: string | null },
): Promise<Stopped> {
  assertMay(actor, 'manageSuppressions')
  if (!isEmailAddress(address)) throw invalidField('address', 'must be an email address such as name@example.com')
  if (note !== null && (note.length > MOST_NOTE_CHARACTERS || !isStorableText(note)))
    throw invalidField('note', `must have ${MOST_NOTE_CHARACTERS} characters at most`)
  const key = suppressionKey(address)
  return database.transaction(async (tx) => {
    const [added] = await addAll(tx, actor, [{ address: key, note }], 'manual')
    if (!added) return { id: await idOf(tx, actor, key), address: key, added: false }
    const details = { address: key }
    await recordAct(tx, actor, {
      operation: 'suppression.add',
      resourceType: 'suppression',
      resourceId: added.id,
      details,
    })
    return { ...added, added: true }
  })
}

/** Gives those that were added. @throws Problem not_found for the tenant; plan_capacity_exceeded when not all fit */
export async function addAll(
  tx: Tx,
  actor: TenantActor,
  given: readonly { address: string; note: string | null }[],
  reason: SuppressionReason,
): Promise<{ id: Uuid; address: string }[]> {
  const { tenantId, environmentId } = actor
  const used = await lockSuppressions(tx, tenantId)
  if (used === undefined) throw absent('tenant')
  const by = {
    madeByPerson: actor.kind === 'person' ? actor.personId : null,
    madeByAccount: actor.kind === 'operator' ? actor.account : null,
  }
  const rows = given.map((one) => ({ ...one, ...by, environmentId, reason, messageId: null }))
  // One more than there is room for shows that there is not enough.
  const added = await insertSuppressions(tx, tenantId, rows, MOST_SUPPRESSIONS - used + 1)
  if (used + added.length > MOST_SUPPRESSIONS) throw full(used)
  return added
}

function full(used: number): Problem {
  return overCapacity(
    { resource: 'suppressions', limit: MOST_SUPPRESSIONS, used, resetsAt: null },
    `There is room for ${MOST_SUPPRESSIONS.toLocaleString('en-US')} stopped addresses. Let some back first.`,
  )
}

/** It is there, and nobody removes it before the transaction ends. */
async function idOf(tx: Tx, { tenantId, environmentId }: TenantActor, address: string): Promise<Uuid> {
  const row = await tx.first(sql<{ id: Uuid }>`
    select id from suppressions
    where tenant_id = ${tenantId} and environment_id = ${environmentId} and address = ${address}`)
  if (!row) throw new Error('a stopped address is gone while its tenant is locked')
  return row.id
}
