// Lets an address back: mail goes to it again. specification.md#stopped-addresses
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { suppressionKey } from './suppressed.ts'
import { deleteSuppressions, lockSuppressions } from './tenant-stops.ts'

/** By its id, or by the address in any spelling. Gives its id. What has failed meanwhile stays so. @throws Problem not_allowed, not_found */
export async function removeSuppression(
  database: Database,
  actor: TenantActor,
  by: { id: Uuid } | { address: string },
): Promise<{ id: Uuid }> {
  assertMay(actor, 'manageSuppressions')
  return database.transaction(async (tx) => {
    await lockSuppressions(tx, actor.tenantId)
    const [removed] = await deleteSuppressions(tx, actor, 'id' in by ? by : { address: suppressionKey(by.address) })
    if (!removed) throw absent('stopped address')
    const { id, address } = removed
    // There is nothing left by whose id it would be found.
    const details = { address }
    await recordAct(tx, actor, {
      operation: 'suppression.remove',
      resourceType: 'suppression',
      resourceId: id,
      details,
    })
    return { id }
  })
}
