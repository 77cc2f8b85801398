// Legal hold: what is held keeps its bytes, whatever happens to it. specification.md#end-of-a-message
import { sql, type Tx } from '../lib/sql.ts'
import type { EndOfMessage } from './end-messages.ts'
import type { MessageRef } from './lock-message.ts'
import { lockShared } from './lock-shared.ts'
import { removeMessages } from './remove-messages.ts'

/** Sets or lifts a legal hold. What was gone and only held goes when it is lifted. */
export async function setHeld(tx: Tx, { tenantId, id }: MessageRef, held: boolean): Promise<void> {
  const row = await tx.first(sql<{ gone: EndOfMessage | null }>`
    update messages set held = ${held} where tenant_id = ${tenantId} and id = ${id} returning gone`)
  if (!row || held || row.gone === null) return
  await lockShared(tx, [{ tenantId, id }])
  await removeMessages(tx, [{ tenantId, id }])
}
