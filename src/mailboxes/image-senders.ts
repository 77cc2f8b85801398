// The senders whose images a mailbox user wants shown without being asked.
import type { MailboxUser } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { absent, invalidField, problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { type Database, type Db, sql } from '../lib/sql.ts'
import { canonicalAddress } from '../mail/mail-address.ts'
import { lockUser } from '../users/lock-user.ts'
import { mailboxUserRef } from '../users/user.ts'

/** specification.md#images-of-messages */
const MOST_SENDERS = 1_000

/** By address, in lower case. */
export async function listImageSenders(db: Db, actor: MailboxUser): Promise<string[]> {
  assertMay(actor, 'readMailboxes')
  const rows = await db.rows(sql<{ address: string }>`
    select address from image_senders where tenant_id = ${actor.tenantId} and user_id = ${actor.mailboxUserId}
    order by address`)
  return rows.map(({ address }) => address)
}

export async function isImageSender(db: Db, actor: MailboxUser, address: string): Promise<boolean> {
  assertMay(actor, 'readMailboxes')
  const found = await db.first(sql<{ address: string }>`
    select address from image_senders
    where tenant_id = ${actor.tenantId} and user_id = ${actor.mailboxUserId} and address = ${spelt(address)}`)
  return found !== undefined
}

/** One that is there already stays. @throws Problem validation_error beyond 1,000, not_signed_in for a user who is gone */
export async function addImageSender(database: Database, actor: MailboxUser, address: string): Promise<void> {
  assertMay(actor, 'readMailboxes')
  const { tenantId, mailboxUserId: userId } = actor
  await database.transaction(async (tx) => {
    // Those who add at once take turns: none passes the limit.
    if (!(await lockUser(tx, mailboxUserRef(tenantId, userId)))) throw problem('not_signed_in')
    const senders = await listImageSenders(tx, actor)
    if (senders.includes(spelt(address))) return
    if (senders.length >= MOST_SENDERS) {
      const most = MOST_SENDERS.toLocaleString('en')
      throw invalidField('address', `images of ${most} senders are shown: remove one to add another`)
    }
    await tx.rows(sql`
      insert into image_senders (tenant_id, user_id, address) values (${tenantId}, ${userId}, ${spelt(address)})`)
    await recordAct(tx, actor, { operation: 'imageSender.add', resourceType: 'mailbox_user', resourceId: userId })
  })
}

/** @throws Problem not_found */
export async function removeImageSender(database: Database, actor: MailboxUser, address: string): Promise<void> {
  assertMay(actor, 'readMailboxes')
  const { tenantId, mailboxUserId: userId } = actor
  await database.transaction(async (tx) => {
    const removed = await tx.first(sql<{ address: string }>`
      delete from image_senders
      where tenant_id = ${tenantId} and user_id = ${userId} and address = ${spelt(address)} returning address`)
    if (!removed) throw absent('sender')
    await recordAct(tx, actor, { operation: 'imageSender.remove', resourceType: 'mailbox_user', resourceId: userId })
  })
}

const spelt = (address: string): string => canonicalAddress(address).toLowerCase()
