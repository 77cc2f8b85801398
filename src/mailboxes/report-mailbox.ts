// What is left of a change to a mailbox beside the change: its event and its audit record.
import type { TenantActor } from '../access/actor.ts'
import type { AuditedOperation } from '../audit/operations.ts'
import { recordAct } from '../audit/record.ts'
import { appendEvents } from '../events/append.ts'
import type { EventType } from '../events/types.ts'
import type { Tx } from '../lib/sql.ts'
import type { MailboxEventData } from './event-data.ts'
import type { StoredMailbox } from './stored-mailbox.ts'

/** Mailbox events are production events, whichever environments the tenant has. specification.md#environments */
export async function reportMailbox(
  tx: Tx,
  actor: TenantActor,
  mailbox: StoredMailbox,
  type: EventType & `mailbox.${string}`,
  operation: AuditedOperation & `mailbox.${string}`,
): Promise<void> {
  const { tenantId, id, address, displayName, status } = mailbox
  const data: MailboxEventData = { address, displayName, status }
  await appendEvents(tx, [{ tenantId, environmentId: tenantId, type, resourceType: 'mailbox', resourceId: id, data }])
  await recordAct(tx, actor, { operation, resourceType: 'mailbox', resourceId: id })
}
