// The beginning of a file of a message as text, to a user of a mailbox in which it lies.
import { isUtf8 } from 'node:buffer'
import type { MailboxUser } from '../../access/actor.ts'
import { beginningOf } from '../../lib/beginning-of.ts'
import type { ObjectStore } from '../../lib/object-store.ts'
import { type Db, sql } from '../../lib/sql.ts'
import type { Uuid } from '../../lib/uuid.ts'
import type { MimePart } from '../../mail/mime-part.ts'
import { decodeText } from '../../mail/parse/charset.ts'
import { openOwnAttachment } from './open-own-attachment.ts'

/** More is for a download. */
const MOST_BYTES = 256 * 1024

/** By the charset that the message names for it, if it does. @throws Problem not_found */
export async function readOwnText(
  db: Db,
  store: ObjectStore,
  actor: MailboxUser,
  messageId: Uuid,
  id: Uuid,
): Promise<{ text: string; isCut: boolean }> {
  const file = await openOwnAttachment(db, store, actor, messageId, id)
  const charset = await charsetOf(db, actor.tenantId, messageId, id)
  const bytes = await beginningOf(await file.open(), MOST_BYTES)
  const isCut = file.sizeBytes > bytes.length
  return { text: decodeText(isCut ? upToWholeCharacter(bytes) : bytes, byteOrderOf(bytes) ?? charset), isCut }
}

async function charsetOf(db: Db, tenantId: Uuid, messageId: Uuid, id: Uuid): Promise<string | undefined> {
  const row = await db.first(sql<{ mime: MimePart | null; partId: string | null }>`
    select c.mime, h.part_id as "partId"
    from message_attachments h
    join message_contents c on c.tenant_id = h.tenant_id and c.message_id = h.message_id
    where h.tenant_id = ${tenantId} and h.message_id = ${messageId} and h.attachment_id = ${id}
    limit 1`)
  if (!row?.mime) return undefined
  const parts = [row.mime]
  for (const part of parts) {
    if (part.partId === row.partId) return part.parameters.charset
    parts.push(...part.parts)
  }
  return undefined
}

/** UTF-8 that ends within a character is still UTF-8. */
function upToWholeCharacter(bytes: Buffer): Buffer {
  const ends = [0, 1, 2, 3].map((octets) => bytes.subarray(0, bytes.length - octets))
  return ends.find((end) => isUtf8(end)) ?? bytes
}

/** What a text says of itself by its first octets counts more than what a mail says of it. */
function byteOrderOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : undefined
}
