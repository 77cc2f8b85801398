// Takes a small file in a request of JSON.
import type { Application } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { recordAct } from '../audit/record.ts'
import { answerOnce, type Replayable } from '../idempotency/answer-once.ts'
import { keepObjects, removeLater } from '../lib/object-removals.ts'
import type { ObjectStore } from '../lib/object-store.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { attachmentKey } from './attachment-key.ts'
import { checkMailbox } from './check-mailbox.ts'
import { requireAttachment } from './find-attachment.ts'
import { insertAttachments } from './insert-attachments.ts'
import { type Attachment, MAX_LEGACY_BYTES, type UploadAttachmentInput } from './schemas.ts'
import { requireRoomTaken } from './storage-of-tenant.ts'

export interface JsonUploadDeps {
  database: Database
  store: ObjectStore
  idempotencyTtlSeconds: number
}

/** How long an object may stay that no attachment has claimed: longer than any request that writes one. */
const UNCLAIMED_MS = 60 * 60 * 1000
export const NOT_THIS_WAY = 'The JSON transport takes 3 MiB. Use the direct upload: POST /v1/attachments/uploads.'

/**
 * `id` is what the attachment will be called, for which the key is held.
 * @throws Problem attachment_too_large, not_found, mailbox_suspended, plan_capacity_exceeded; StoreUnavailable
 */
export async function uploadInJson(
  deps: JsonUploadDeps,
  actor: Application,
  { key, id }: { key: string; id: Uuid },
  input: UploadAttachmentInput,
): Promise<Replayable<{ attachment: Attachment }>> {
  assertMay(actor, 'writeAttachments')
  const bytes = Buffer.from(input.contentBase64, 'base64')
  if (bytes.length > MAX_LEGACY_BYTES) throw problem('attachment_too_large', { message: NOT_THIS_WAY })
  const object = attachmentKey(actor.tenantId, id)
  // Stored before the key is looked at: what a retry stores goes again.
  await removeLater(deps.database, [object], UNCLAIMED_MS)
  const { sizeBytes, sha256 } = await deps.store.put(object, bytes, bytes.length)
  const keyed = { key, operation: 'uploadAttachment' as const, target: '', input, heldFor: id }
  return deps.database.transaction((tx) =>
    answerOnce(tx, actor, keyed, deps.idempotencyTtlSeconds, async () => {
      await checkMailbox(tx, actor, input.mailboxId)
      await keepObjects(tx, [object])
      const { mailboxId, filename, mediaType } = input
      const { tenantId, environmentId } = actor
      const content = { sizeBytes, sha256, disposition: 'attachment', contentId: null } as const
      await insertAttachments(tx, [{ tenantId, id, environmentId, mailboxId, filename, mediaType, ...content }])
      await requireRoomTaken(tx, actor.tenantId, sizeBytes)
      const act = { operation: keyed.operation, resourceType: 'attachment', resourceId: id }
      await recordAct(tx, actor, act)
      const attachment = await requireAttachment(tx, actor, id)
      return { status: 201, resourceId: id, body: { attachment } }
    }),
  )
}
