// Where the bytes of attachments lie.
import { type ObjectKey, objectKey } from '../lib/object-store.ts'
import type { Uuid } from '../lib/uuid.ts'

/** Where the bytes of an attachment lie for good. */
export function attachmentKey(tenantId: Uuid, id: Uuid): ObjectKey {
  return objectKey('attachments', tenantId, id)
}
