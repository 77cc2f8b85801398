// The secrets of endpoints: sealed for the table, opened in the memory of whoever signs and nowhere else.
import { LRUCache } from 'lru-cache'
import type { Secret } from '../lib/secret.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Uuid } from '../lib/uuid.ts'
import { type SigningKey, type SigningKeys, signingKey } from './signature.ts'

export interface SealedSecrets {
  tenant_id: Uuid
  /** The endpoint's. */
  id: Uuid
  secret: Uint8Array
  /** The one before a rotation, while it holds; otherwise null. */
  previous_secret: Uint8Array | null
}

export interface SigningKeyring {
  /** @throws SealError when a secret was sealed with a key that is no longer configured */
  keysOf(sealed: SealedSecrets): SigningKeys
}

/** Opened keys that are remembered; each is a few hundred octets. */
const REMEMBERED = 10_000

/** Seals an endpoint's secret for its row. */
export function sealSecret(box: SecretBox, tenantId: Uuid, endpointId: Uuid, secret: Secret): Buffer {
  return box.seal(secret, placeOf(tenantId, endpointId))
}

/** Seals what a row holds under the current key. @throws SealError */
export function sealSecretsAnew(box: SecretBox, { tenant_id, id, secret, previous_secret }: SealedSecrets) {
  const place = placeOf(tenant_id, id)
  const again = (sealed: Uint8Array) => box.seal(box.open(sealed, place), place)
  return { secret: again(secret), previous_secret: previous_secret && again(previous_secret) }
}

/** Opens each sealed secret once, as opening takes longer than signing. */
export function createSigningKeyring(box: SecretBox): SigningKeyring {
  /** By the sealed octets themselves: another secret has others. */
  const opened = new LRUCache<string, SigningKey>({ max: REMEMBERED })

  function keyOf(sealed: Uint8Array, place: string): SigningKey {
    const name = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength).toString('latin1')
    const known = opened.get(name)
    if (known) return known
    const key = signingKey(box.open(sealed, place))
    opened.set(name, key)
    return key
  }

  return {
    keysOf({ tenant_id, id, secret, previous_secret }) {
      const place = placeOf(tenant_id, id)
      const current = keyOf(secret, place)
      return previous_secret === null ? [current] : [current, keyOf(previous_secret, place)]
    },
  }
}

function placeOf(tenantId: Uuid, endpointId: Uuid): string {
  return `webhook_endpoints/${tenantId}/${endpointId}`
}
