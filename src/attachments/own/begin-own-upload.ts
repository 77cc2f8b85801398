// Begins an upload of a mailbox user. Its bytes come through the webmail.
import type { MailboxUser } from '../../access/actor.ts'
import { assertWrites } from '../../access/assert-writes.ts'
import { assertMay } from '../../access/permissions.ts'
import { notFoundField } from '../../access/problem.ts'
import { type AnnounceDeps, announceUpload } from '../announce-upload.ts'
import type { Attachment, PrepareAttachmentInput } from '../schemas.ts'

/** @throws Problem attachment_too_large, not_allowed, not_found, mailbox_suspended, plan_capacity_exceeded, upload_expired */
export async function beginOwnUpload(
  deps: AnnounceDeps,
  actor: MailboxUser,
  key: string,
  input: PrepareAttachmentInput,
): Promise<{ uploadId: string; attachment: Attachment | null }> {
  assertMay(actor, 'writeAttachments')
  const mailboxId = input.mailboxId.toLowerCase()
  assertWrites(actor.mailboxes.get(mailboxId), notFoundField('mailboxId'))
  const { uploadId, attachment } = await announceUpload(deps, actor, key, { ...input, mailboxId })
  return { uploadId, attachment }
}
