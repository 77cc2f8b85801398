// An upload as JSON, whose body may take its time: its Idempotency-Key is held from the moment its head has come, for what
// the attachment will be called. Knows nothing of HTTP.
import type { Application } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import type { Replayable } from '../idempotency/answer-once.ts'
import type { KeyHolder } from '../idempotency/hold-key.ts'
import { newId } from '../lib/uuid.ts'
import type { Attachment, UploadAttachmentInput } from './schemas.ts'
import { type JsonUploadDeps, uploadInJson } from './upload-in-json.ts'

export interface JsonUpload {
  /** @throws Problem attachment_too_large, not_found, mailbox_suspended, plan_capacity_exceeded; StoreUnavailable */
  finish(input: UploadAttachmentInput): Promise<Replayable<{ attachment: Attachment }>>
  /** Frees the key of an upload that came to nothing. */
  abandon(): Promise<void>
  /** The request is over, however it went. */
  end(): void
}

/** @throws Problem idempotency_pending when another request with the key is under way */
export async function beginJsonUpload(
  deps: JsonUploadDeps & { heldKeys: KeyHolder },
  actor: Application,
  key: string,
): Promise<JsonUpload> {
  assertMay(actor, 'writeAttachments')
  const id = newId()
  const held = await deps.heldKeys.hold(actor, { key, operation: 'uploadAttachment' }, id)
  return {
    finish: (input) => uploadInJson(deps, actor, { key, id }, input),
    abandon: () => deps.heldKeys.free(held),
    end: () => deps.heldKeys.letGo(held),
  }
}
