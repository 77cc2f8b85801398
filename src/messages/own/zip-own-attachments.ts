// All files of a message as one archive, to a user of a mailbox in which it lies.
import type { MailboxUser } from '../../access/actor.ts'
import { absent } from '../../access/problem.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import type { Db } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { type Zip, zipOf } from '../../lib/zip.ts'
import { namesInArchive } from './names-in-archive.ts'
import { openOwnAttachments } from './open-own-attachment.ts'

/** `at`: the time that its files have. @throws Problem not_found, also of a message without files */
export async function zipOwnAttachments(
  db: Db,
  store: ObjectStore,
  actor: MailboxUser,
  messageId: Uuid,
  at: Date,
): Promise<Zip> {
  const files = await openOwnAttachments(db, store, actor, messageId)
  if (files.length === 0) throw absent('attachment')
  const names = namesInArchive(files.map(({ filename }) => filename))
  return zipOf(files.map(({ sizeBytes, open }, i) => ({ name: names[i] as string, sizeBytes, at, open })))
}
