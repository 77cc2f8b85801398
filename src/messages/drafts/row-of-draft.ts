// A draft as the accepting statement reads it.
import type { MailboxUser } from '../../access/actor.ts'
import { type Db, sql } from '../../lib/sql.ts'
import { newId } from '../../lib/uuid.ts'
import { makePreview } from '../../mail/parse/preview.ts'
import { suppressionKeys } from '../../suppressions/suppressed.ts'
import type { DraftSendRow } from '../accept-messages.ts'
import { placeHeldAttachments } from '../place-attachments.ts'
import { recipientsOf } from '../send-message.ts'
import { composeMessage } from './compose-message.ts'
import type { StoredDraft } from './draft.ts'
import type { Thread } from './reply-references.ts'

export interface PlacedDraft {
  row: DraftSendRow
  /** The place of the first attachment that is there no more. */
  missing: number | undefined
}

/** `actor`: whoever sends it, and from where. */
export async function rowOfDraft(db: Db, actor: MailboxUser, draft: StoredDraft & Thread): Promise<PlacedDraft> {
  const { text, html } = composeMessage(draft)
  const addressesOf = (field: 'to' | 'cc' | 'bcc') => draft[field].map(({ address }) => address)
  const recipients = recipientsOf({ to: addressesOf('to'), cc: addressesOf('cc'), bcc: addressesOf('bcc') })
  const row: DraftSendRow = {
    tenant_id: actor.tenantId,
    environment_id: actor.environmentId,
    mailbox_user_id: actor.mailboxUserId,
    draft_id: draft.id,
    demo: false,
    message_id: draft.messageId,
    event_id: newId(),
    mailbox_id: draft.mailboxId,
    sender_name: await senderName(db, actor, draft),
    to_addresses: draft.to,
    cc_addresses: draft.cc,
    bcc_addresses: draft.bcc,
    recipients,
    keys: suppressionKeys(recipients),
    subject: draft.subject,
    text,
    html,
    preview: makePreview(text, html),
    in_reply_to: draft.inReplyTo,
    reference_ids: draft.references,
    attachments: [],
    refusal: null,
    created_micros: Math.floor(performance.now() * 1000),
    // From where it was sent is on record, which is kept for a year; what is in the log of events stays.
    client_address: null,
    user_agent: null,
    request_id: null,
  }
  if (draft.attachmentIds.length === 0) return { row, missing: undefined }
  const { missing, ...placed } = await placeHeldAttachments(db, actor, draft.attachmentIds, draft.attachments, row)
  return { row: { ...row, ...placed }, missing }
}

/** As which the user sends from this mailbox; null: as everybody does. */
async function senderName(db: Db, actor: MailboxUser, { mailboxId }: StoredDraft): Promise<string | null> {
  const identity = await db.first(sql<{ name: string | null }>`
    select name from sender_identities
    where tenant_id = ${actor.tenantId} and user_id = ${actor.mailboxUserId} and mailbox_id = ${mailboxId}`)
  return identity?.name ?? null
}
