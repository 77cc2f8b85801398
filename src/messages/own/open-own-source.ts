// The octets of a message, to a user of a mailbox in which it lies.
import type { MailboxUser } from '../../access/actor.ts'
import { absent } from '../../access/problem.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import type { Db } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { findRawMessage, type RawMessage } from '../read-raw.ts'
import { ownEntries } from './own-entries.ts'

/** @throws Problem not_found, also while it is not built yet */
export async function openOwnSource(db: Db, store: ObjectStore, actor: MailboxUser, id: Uuid): Promise<RawMessage> {
  await ownEntries(db, actor, id)
  const message = await findRawMessage(db, store, actor, id)
  if (!message) throw absent('message')
  return message
}
