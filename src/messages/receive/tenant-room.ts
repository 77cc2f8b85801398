// How much of its stored bytes a tenant leaves to incoming mail, so that mail of strangers never uses up what it needs to
// send.
import { storageOf } from '../../attachments/storage-of-tenant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { MAX_MESSAGE_BYTES } from '../../mail/parse/parsed-message.ts'

/** Of a plan's stored bytes. */
const INBOUND_SHARE = 0.9

/** A tenant of the envelope has no room for the mail. Those who have took it; the same mail again is not doubled. */
export class StorageFull extends Error {
  override name = 'StorageFull'
}

/**
 * What RCPT says. `sizeBytes`: what was announced, 0 for nothing. `alone`: one of the tenants has less room than a mail
 * may need; refused with another's in one envelope, the mail would come again to both.
 */
export async function roomFor(
  db: Db,
  tenantId: Uuid,
  others: readonly Uuid[],
  sizeBytes: number,
): Promise<'enough' | 'alone' | 'full'> {
  const room = await roomOf(db, tenantId)
  if (room <= 0 || room < sizeBytes) return 'full'
  const strangers = [...new Set(others)].filter((other) => other !== tenantId)
  if (strangers.length === 0) return 'enough'
  const rooms = await Promise.all(strangers.map((other) => roomOf(db, other)))
  return Math.min(room, ...rooms) < LARGEST_BYTES ? 'alone' : 'enough'
}

/** A message and, decoded, the files in it. */
const LARGEST_BYTES = MAX_MESSAGE_BYTES * 2

/**
 * For the transaction that has written a mail: the row that counts its tenant's bytes is locked by then, so that two
 * mails at once cannot both take the last room. @throws StorageFull
 */
export async function checkRoom(tx: Tx, tenantId: Uuid): Promise<void> {
  if ((await roomOf(tx, tenantId)) < 0) throw new StorageFull('a tenant has no room for a mail')
}

async function roomOf(db: Db, tenantId: Uuid): Promise<number> {
  const { used, limit } = await storageOf(db, tenantId)
  return limit === 0 ? Number.POSITIVE_INFINITY : Math.floor(limit * INBOUND_SHARE) - used
}
