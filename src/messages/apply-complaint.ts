// Writes down that recipients of a message complained of it. A complaint is no outcome: it moves nothing and has no
// event.
import { sql, type Timestamp, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type Bounce, recordBounces } from '../suppressions/record-bounces.ts'
import type { ReportReach } from './apply-report.ts'
import { positionsIn, type StoredRecipient, withComplaints } from './recipients.ts'

/**
 * `addresses`: of those who complained; none when the reporter hides them, which can mean the only recipient of a message
 * alone. Gives how many of them the message has. A message that is unknown, gone or out of reach is left as it is.
 */
export async function applyComplaint(
  tx: Tx,
  message: { tenantId: Uuid; id: Uuid },
  addresses: readonly string[],
  reach: ReportReach,
): Promise<number> {
  const state = await lockRecipients(tx, message)
  if (!state || (reach === 'only_recipient' && state.recipients.length > 1)) return 0
  const positionOf = positionsIn(state.recipients)
  const named = addresses.length === 0 ? [null] : addresses
  const positions = new Set(named.flatMap((address) => positionOf([address]) ?? []))
  const complaining = [...positions]
    .flatMap((position) => state.recipients[position] ?? [])
    .filter(({ complainedAt }) => complainedAt === undefined)
  if (complaining.length > 0) {
    await saveRecipients(tx, message, withComplaints(state.recipients, positions, state.now))
    await recordBounces(
      tx,
      complaining.map(({ address }) => complaintOf(message, state.environmentId, address)),
    )
  }
  return positions.size
}

/** Nobody says in a complaint why. */
function complaintOf(
  { tenantId, id: messageId }: { tenantId: Uuid; id: Uuid },
  environmentId: Uuid,
  address: string,
): Bounce {
  const words = { smtpCode: null, enhancedCode: null, diagnostic: null }
  return { tenantId, environmentId, messageId, address, kind: 'complained', ...words }
}

interface StateNow {
  environmentId: Uuid
  recipients: StoredRecipient[]
  /** By the database's clock. */
  now: Timestamp
}

function lockRecipients(tx: Tx, message: { tenantId: Uuid; id: Uuid }): Promise<StateNow | undefined> {
  return tx.first(sql<StateNow>`
    select s.recipients, m.environment_id as "environmentId", clock_timestamp() as now
    from message_states s join messages m on m.tenant_id = s.tenant_id and m.id = s.message_id
    where s.tenant_id = ${message.tenantId} and s.message_id = ${message.id} and m.gone is null
    for no key update of s`)
}

async function saveRecipients(
  tx: Tx,
  message: { tenantId: Uuid; id: Uuid },
  recipients: readonly StoredRecipient[],
): Promise<void> {
  await tx.rows(sql`
    update message_states set recipients = ${JSON.stringify(recipients)}::json
    where tenant_id = ${message.tenantId} and message_id = ${message.id}`)
}
