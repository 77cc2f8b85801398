// How bytes get from clients into the store and back without passing through the API's JSON: signed URLs, of this
// service or of the store itself. The rest of the feature knows only this.
import type { ObjectKey } from '../lib/object-store.ts'
import type { Timestamp } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { Upload } from './find-upload.ts'

export type Mismatch = 'size' | 'mediaType' | 'sha256'

/** What lies where a client was to put its bytes. */
export type PutState = { kind: 'as_announced' } | { kind: 'missing' } | { kind: 'mismatch'; of: Mismatch[] }

export interface Transfers {
  /** What may come to lie in the store for an upload: noted when it is prepared, so that nothing of it stays behind. */
  objects(upload: { tenantId: Uuid; id: Uuid }): ObjectKey[]
  /** How long after an upload's time something may still come to lie there. */
  lateMs: number
  /**
   * Where and how to put the bytes of an upload, and nothing else, until it expires. URLs of this service end with the API
   * key that they were given to; those of a store cannot be recalled.
   */
  uploadUrl(upload: Upload, keyId: Uuid): Promise<{ url: string; headers: Record<string, string> }>
  /** Looks at what was put; when it is as announced, it lies at its final key afterwards. @throws StoreUnavailable */
  inspect(upload: Upload): Promise<PutState>
  downloadUrl(attachment: {
    tenantId: Uuid
    keyId: Uuid
    id: Uuid
    filename: string
    mediaType: string
    expiresAt: Timestamp
  }): Promise<string>
}
