// The name and the signature that a mailbox user has in a mailbox: every user of it has their own.
import type { MailboxUser } from '../access/actor.ts'
import { assertWrites } from '../access/assert-writes.ts'
import { assertMay } from '../access/permissions.ts'
import { invalidField } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface SenderIdentity {
  mailboxId: Uuid
  /** Of the From field; null: the mailbox's own. */
  name: string | null
  /** HTML. */
  signature: string | null
}

/** Of every mailbox that the user may write from, by its address. @throws Problem not_allowed when that is none of those that the user has */
export async function listSenderIdentities(db: Db, actor: MailboxUser): Promise<SenderIdentity[]> {
  assertMay(actor, 'sendMessages')
  const writable = [...actor.mailboxes].flatMap(([id, access]) => (access === 'write' ? [id] : []))
  if (writable.length === 0 && actor.mailboxes.size > 0) assertWrites('read')
  return db.rows(sql<SenderIdentity>`
    select b.id as "mailboxId", i.name, i.signature
    from mailboxes b
    left join sender_identities i
      on i.tenant_id = b.tenant_id and i.mailbox_id = b.id and i.user_id = ${actor.mailboxUserId}
    where b.tenant_id = ${actor.tenantId} and b.id = any (${writable}::uuid[])
    order by b.address`)
}

/** @throws Problem not_found, not_allowed, validation_error */
export async function setSenderIdentity(
  database: Database,
  actor: MailboxUser,
  mailboxId: Uuid,
  { name, signature }: Omit<SenderIdentity, 'mailboxId'>,
): Promise<SenderIdentity> {
  assertMay(actor, 'sendMessages')
  assertWrites(actor.mailboxes.get(mailboxId))
  const identity = { mailboxId, name: nameOf(name), signature: signature?.trim() || null }
  const { tenantId, mailboxUserId: userId } = actor
  await database.transaction(async (tx) => {
    // Whoever takes the access away waits for this, and it for them.
    const held = await tx.first(sql<{ access: 'read' | 'write' }>`
      select access from mailbox_access
      where tenant_id = ${tenantId} and mailbox_user_id = ${userId} and mailbox_id = ${mailboxId} for key share`)
    assertWrites(held?.access)
    await tx.rows(sql`
      insert into sender_identities (tenant_id, user_id, mailbox_id, name, signature)
      values (${tenantId}, ${userId}, ${mailboxId}, ${identity.name}, ${identity.signature})
      on conflict (tenant_id, user_id, mailbox_id) do update set name = excluded.name, signature = excluded.signature`)
    await recordAct(tx, actor, { operation: 'identity.change', resourceType: 'mailbox', resourceId: mailboxId })
  })
  return identity
}

/** It goes into a header: no line ends within it. @throws Problem validation_error */
function nameOf(given: string | null): string | null {
  const name = given?.trim() || null
  if (name && /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) throw invalidField('name', 'must have no control characters')
  return name
}
