// The files of a draft, which stay while it does. Whoever ends a message that has one of them too is waited for.
import type { MailboxUser, Realm } from '../../access/actor.ts'
import { invalidFields, notFoundField } from '../../access/problem.ts'
import { loosenAttachments } from '../../attachments/loosen-attachments.ts'
import { sql, type Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { mailboxesWithDrafts } from './writable-mailbox.ts'

/**
 * Has the draft hold these, in their order, and let go of all others. Those that it holds already are the draft's; any other
 * must be one that was uploaded for a mailbox in which the user may write, or be in a message that the user reads.
 * @throws Problem not_found, or validation_error where one is given twice
 */
export async function holdAttachments(tx: Tx, actor: MailboxUser, draftId: Uuid, ids: readonly Uuid[]): Promise<void> {
  const repeated = ids.flatMap((id, i) => (ids.indexOf(id) < i ? [i] : []))
  if (repeated.length > 0) {
    throw invalidFields(
      repeated.map((i) => ({ path: `attachmentIds[${i}]`, code: 'duplicate', message: 'is given twice' })),
    )
  }
  const held = await heldBy(tx, actor, draftId)
  if (held.length === ids.length && held.every((id, i) => id === ids[i])) return
  const [taken, left] = [ids.filter((id) => !held.includes(id)), held.filter((id) => !ids.includes(id))]
  await lockInOrder(tx, actor, [...taken, ...left])
  const seen = await findSeen(tx, actor, taken)
  const missing = ids.findIndex((id) => !held.includes(id) && !seen.has(id))
  if (missing !== -1) throw notFoundField(`attachmentIds[${missing}]`)
  await letGo(tx, actor, draftId, left)
  await tx.rows(sql`delete from draft_attachments where tenant_id = ${actor.tenantId} and draft_id = ${draftId}`)
  await tx.rows(sql`
    insert into draft_attachments (tenant_id, draft_id, position, attachment_id)
    select ${actor.tenantId}, ${draftId}, (a.n - 1)::smallint, a.id
    from unnest(${ids}::uuid[]) with ordinality as a (id, n)`)
}

/** For the transaction that ends a draft without a message. */
export async function releaseAttachments(tx: Tx, realm: Realm, draftId: Uuid): Promise<void> {
  const held = await heldBy(tx, realm, draftId)
  await lockInOrder(tx, realm, held)
  await letGo(tx, realm, draftId, held)
}

async function heldBy(tx: Tx, { tenantId }: Realm, draftId: Uuid): Promise<Uuid[]> {
  const rows = await tx.rows(sql<{ id: Uuid }>`
    select attachment_id as id from draft_attachments
    where tenant_id = ${tenantId} and draft_id = ${draftId} order by position`)
  return rows.map(({ id }) => id)
}

/** None of them goes until the transaction ends. In the order that whoever ends messages keeps too: neither waits in a circle. */
async function lockInOrder(tx: Tx, { tenantId }: Realm, ids: readonly Uuid[]): Promise<void> {
  if (ids.length === 0) return
  await tx.rows(sql`
    select id from attachments where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) order by id for no key update`)
}

/** Those that the user may take, by a statement of its own, which sees what whoever was waited for has done. */
async function findSeen(tx: Tx, actor: MailboxUser, ids: readonly Uuid[]): Promise<Set<Uuid>> {
  if (ids.length === 0) return new Set()
  const [readable, writable] = [[...actor.mailboxes.keys()], mailboxesWithDrafts(actor)]
  const rows = await tx.rows(sql<{ id: Uuid }>`
    select a.id from attachments a
    where a.tenant_id = ${actor.tenantId} and a.environment_id = ${actor.environmentId} and a.id = any(${ids}::uuid[])
      and ((a.mailbox_id = any(${writable}::uuid[]) and not exists (
          select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id offset 0))
        or exists (
          select from message_attachments h
          join messages m on m.tenant_id = h.tenant_id and m.id = h.message_id and m.gone is null
          where h.tenant_id = a.tenant_id and h.attachment_id = a.id
            and ((m.in_sent and m.mailbox_id = any(${readable}::uuid[])) or exists (
              select from message_entries e
              where e.tenant_id = m.tenant_id and e.message_id = m.id and e.mailbox_id = any(${readable}::uuid[])))
          offset 0))`)
  return new Set(rows.map(({ id }) => id))
}

/** Of files that are locked. What nothing else has is swept like an upload that no message took. */
async function letGo(tx: Tx, { tenantId }: Realm, draftId: Uuid, ids: readonly Uuid[]): Promise<void> {
  if (ids.length === 0) return
  await tx.rows(sql`
    delete from draft_attachments
    where tenant_id = ${tenantId} and draft_id = ${draftId} and attachment_id = any(${ids}::uuid[])`)
  await loosenAttachments(tx, tenantId, ids)
}
