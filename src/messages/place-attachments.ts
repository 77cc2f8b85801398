// Finds the attachments of a message that is to be sent, and says whether they fit into it. What is refused here is
// refused by the accepting statement, after it has looked at the idempotency key.

import { createPublicKey } from 'node:crypto'
import type { Realm } from '../access/actor.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { layoutOf, type OutgoingAttachment, type OutgoingMessage, partIdsOf } from '../mail/build/layout.ts'
import { type MeasuredSigner, measureMime } from '../mail/build/measure-mime.ts'
import { MAX_MESSAGE_BYTES } from '../mail/parse/parsed-message.ts'
import type { DraftSendRow, SendRow } from './accept-messages.ts'
import { sentMessageId } from './message-id.ts'
import type { Address } from './schemas.ts'

/** Far more than a signature takes whose list of fields is ours. */
const MOST_SIGNATURE_BYTES = 4_096

export interface PlacedAttachments extends Pick<SendRow, 'attachments' | 'refusal'> {
  /** The place of the first id that names nothing; undefined where each names an attachment. */
  missing?: number
}

/** Gives the attachments that a message is sent with, each named once, or why it is refused. */
export async function placeAttachments(
  db: Db,
  realm: Realm,
  attachmentIds: readonly Uuid[],
  row: SendRow,
): Promise<PlacedAttachments> {
  const ids = attachmentIds.map((id) => id.toLowerCase())
  return place(db, realm, ids, await findCompleted(db, realm, ids), row)
}

/** The same of a draft, which holds those that are `found`. */
export function placeHeldAttachments(
  db: Db,
  realm: Realm,
  attachmentIds: readonly Uuid[],
  found: readonly OutgoingAttachment[],
  row: DraftSendRow,
): Promise<PlacedAttachments> {
  return place(db, realm, attachmentIds, new Map(found.map((file) => [file.id, file])), row)
}

async function place(
  db: Db,
  realm: Realm,
  ids: readonly Uuid[],
  found: ReadonlyMap<Uuid, OutgoingAttachment>,
  row: SendRow | DraftSendRow,
): Promise<PlacedAttachments> {
  const attachments = ids.map((id) => found.get(id))
  const missing = attachments.indexOf(undefined)
  if (missing !== -1) return { attachments: [], refusal: 'no_attachment', missing }
  const from = await findSender(db, realm, row.mailbox_id)
  // The statement says that there is no such mailbox.
  if (!from) return { attachments: [], refusal: null }
  const message = outgoing(row, from, attachments as OutgoingAttachment[])
  const partIds = partIdsOf(layoutOf(message))
  return {
    attachments: ids.map((id) => ({ id, part_id: partIds.get(id) as string })),
    refusal: (await isTooLarge(message, from)) ? 'too_large' : null,
  }
}

/** Looks at the signature only where it decides: reading a key takes half a millisecond. */
async function isTooLarge(message: OutgoingMessage, from: Sender): Promise<boolean> {
  const size = await measureMime(message)
  if (size > MAX_MESSAGE_BYTES || size + MOST_SIGNATURE_BYTES <= MAX_MESSAGE_BYTES) return size > MAX_MESSAGE_BYTES
  return (await measureMime(message, signerOf(from))) > MAX_MESSAGE_BYTES
}

/** The message as the worker will build it; every date has the same length. */
function outgoing(row: SendRow | DraftSendRow, from: Address, attachments: OutgoingAttachment[]): OutgoingMessage {
  const ofDraft = 'draft_id' in row ? { inReplyTo: row.in_reply_to, references: row.reference_ids } : {}
  const name = ('sender_name' in row ? row.sender_name : null) ?? from.name
  return {
    ...ofDraft,
    messageId: sentMessageId(row.message_id, from.address),
    date: new Date(0),
    from: { address: from.address, name },
    to: row.to_addresses,
    cc: row.cc_addresses,
    subject: row.subject,
    text: row.text,
    html: row.html,
    attachments,
  }
}

interface Sender extends Address {
  domain: string
  /** Both null while the domain has no DKIM key. */
  selector: string | null
  publicKey: string | null
}

function signerOf({ domain, selector, publicKey }: Sender): MeasuredSigner | undefined {
  if (selector === null || publicKey === null) return undefined
  const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki', encoding: 'base64' })
  return { domain, selector, keyBits: key.asymmetricKeyDetails?.modulusLength ?? 0 }
}

function findSender(db: Db, realm: Realm, mailboxId: Uuid): Promise<Sender | undefined> {
  return db.first(sql<Sender>`
    select b.address, b.display_name as name, d.domain, d.dkim_selector as selector, d.dkim_public_key as "publicKey"
    from mailboxes b join domains d on d.tenant_id = b.tenant_id and d.id = b.domain_id
    where b.tenant_id = ${realm.tenantId} and b.id = ${mailboxId}`)
}

/** Those that are completed, of this tenant and environment, of a mailbox of it, and not of gone messages only. */
async function findCompleted(db: Db, realm: Realm, ids: Uuid[]): Promise<Map<Uuid, OutgoingAttachment>> {
  const rows = await db.rows(sql<OutgoingAttachment>`
    select a.id, a.filename, a.media_type as "mediaType", a.size_bytes as "sizeBytes"
    from attachments a
    where a.tenant_id = ${realm.tenantId} and a.environment_id = ${realm.environmentId}
      and a.id = any(${ids}::uuid[])
      -- (With an offset each is a look-up for every attachment; without it, one reading of the whole table may do for all.)
      and (not exists (
          select from message_attachments h where h.tenant_id = a.tenant_id and h.attachment_id = a.id offset 0)
        or exists (
          select from message_attachments h
          join messages m on m.tenant_id = h.tenant_id and m.id = h.message_id and m.gone is null
          where h.tenant_id = a.tenant_id and h.attachment_id = a.id offset 0))`)
  return new Map(rows.map((row) => [row.id, row]))
}
