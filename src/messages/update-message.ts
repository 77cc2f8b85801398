// Files and flags one mailbox's entry of a message, as the API asks for it. Knows nothing of HTTP.
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { notFoundField, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, sql, type Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { changeEntries, type EntryChange } from './change-entries.ts'

/** @throws Problem not_found when there is no such message, or when that mailbox, own or not, holds no entry of it */
export async function updateMessage(
  database: Database,
  actor: TenantActor,
  messageId: Uuid,
  mailboxId: Uuid,
  change: EntryChange,
): Promise<void> {
  assertMay(actor, 'fileMessages')
  await database.transaction(async (tx) => {
    const [changed] = await changeEntries(tx, actor, [{ messageId, mailboxId, change }])
    if (!changed) throw (await isVisible(tx, actor, messageId)) ? notFoundField('mailboxId') : problem('not_found')
    await recordAct(tx, actor, { operation: 'updateMessage', resourceType: 'message', resourceId: changed.messageId })
  })
}

async function isVisible(tx: Tx, actor: TenantActor, messageId: Uuid): Promise<boolean> {
  const row = await tx.first(sql<{ id: Uuid }>`
    select id from messages
    where tenant_id = ${actor.tenantId} and environment_id = ${actor.environmentId} and id = ${messageId}
      and gone is null`)
  return row !== undefined
}
