// Signed URLs of this service, for a store that has none of its own. The token says what may be done with which
// bytes until when, and nobody can read or change it.
import type { ObjectStore } from '../lib/object-store.ts'
import { Secret } from '../lib/secret.ts'
import { SealError, type SecretBox } from '../lib/secret-box.ts'
import { isUuid, type Uuid } from '../lib/uuid.ts'
import { attachmentKey } from './attachment-key.ts'
import type { Transfers } from './transfers.ts'

export type OwnPuts = Pick<Transfers, 'objects' | 'lateMs' | 'inspect'>

export interface BlobLink {
  method: 'PUT' | 'GET'
  tenantId: Uuid
  environmentId: Uuid
  /** The API key that it was given to, and ends with. */
  keyId: Uuid
  /** The upload's or the attachment's. */
  id: Uuid
  expiresAtMs: number
}

export interface BlobLinks {
  encode(link: BlobLink): string
  /** Undefined when the token is none of ours. */
  decode(token: string): BlobLink | undefined
}

const PLACE = 'blobs'

export function createBlobLinks(box: SecretBox): BlobLinks {
  return {
    encode({ method, tenantId, environmentId, keyId, id, expiresAtMs }) {
      const text = [method, tenantId, environmentId, keyId, id, expiresAtMs].join(' ')
      return box.seal(new Secret(text), PLACE).toString('base64url')
    },
    decode(token) {
      const sealed = Buffer.from(token, 'base64url')
      // Buffer passes over what is not base64url: one link would have many names.
      if (sealed.toString('base64url') !== token) return undefined
      try {
        const text = box.open(sealed, PLACE).reveal()
        const [method, tenantId = '', environmentId = '', keyId = '', id = '', expires] = text.split(' ')
        if ((method !== 'PUT' && method !== 'GET') || !isUuid(id)) return undefined
        return { method, tenantId, environmentId, keyId, id, expiresAtMs: Number(expires) }
      } catch (error) {
        if (error instanceof SealError) return undefined
        throw error
      }
    },
  }
}

/** `publicUrl`: where clients reach this service, without a slash at its end. */
export function createLocalTransfers(links: BlobLinks, store: ObjectStore, publicUrl: () => string): Transfers {
  const urlOf = (link: BlobLink) => `${publicUrl()}/v1/blobs/${links.encode(link)}`
  return {
    ...createOwnPuts(store),
    async uploadUrl({ tenantId, environmentId, id, mediaType, expiresAt }, keyId) {
      const url = urlOf({ method: 'PUT', tenantId, environmentId, keyId, id, expiresAtMs: Date.parse(expiresAt) })
      return { url, headers: { 'content-type': mediaType } }
    },
    async downloadUrl({ tenantId, keyId, id, expiresAt }) {
      return urlOf({ method: 'GET', tenantId, environmentId: tenantId, keyId, id, expiresAtMs: Date.parse(expiresAt) })
    },
  }
}

/** Of bytes that come through this service, into whichever store: whatever is put is looked at on its way in. */
export function createOwnPuts(store: ObjectStore): OwnPuts {
  return {
    objects: ({ tenantId, id }) => [attachmentKey(tenantId, id)],
    // What has come whole in time is yet to be put in its place.
    lateMs: 60_000,
    async inspect({ tenantId, id, isPut, refused }) {
      if (refused) return { kind: 'mismatch', of: refused }
      const found = isPut ? await store.head(attachmentKey(tenantId, id)) : undefined
      return found ? { kind: 'as_announced' } : { kind: 'missing' }
    },
  }
}
