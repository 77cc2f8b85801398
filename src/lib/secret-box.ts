// Seals what must be stored and read back: AES-256-GCM under the service's own keys, versioned, of which
// the first seals and every one opens. Knows nothing of what is sealed or where it is kept.
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { Secret } from './secret.ts'

/** One version of the service's key. As a KeyObject it does not print its bytes. */
export interface SecretKey {
  readonly version: number
  readonly key: KeyObject
}

/** Never empty; the first is the current one. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]]

export interface SecretBox {
  /**
   * Seals a text for one place. `place` names the row and column it belongs to (`webhook_endpoints/<tenant>/<id>`)
   * and is authenticated: a sealed secret moved to another row does not open there.
   */
  seal(secret: Secret, place: string): Buffer
  /** Opens what `seal` made for the same place. @throws SealError */
  open(sealed: Uint8Array, place: string): Secret
  /** False when an older key sealed it, so that it should be opened and sealed again. @throws SealError */
  isCurrent(sealed: Uint8Array): boolean
}

/** A sealed secret does not open: damaged, of another place, or sealed by a key that is no longer configured. */
export class SealError extends Error {
  override name = 'SealError'
}

// Layout of a sealed secret: format (1 octet), key version (4, big endian), IV (12), tag (16), ciphertext.
const FORMAT = 1
const VERSION_OFFSET = 1
const IV_OFFSET = 5
const TAG_OFFSET = 17
const TEXT_OFFSET = 33
const IV_BYTES = 12
const KEY_BYTES = 32
const FINGERPRINT_DIGITS = 16
const HIGHEST_VERSION = 0xffff_ffff

/** A box over these keys. */
export function createSecretBox(keys: SecretKeys): SecretBox {
  const boxKeys = deriveKeys(keys, 'secret-box')
  const current = boxKeys[0]

  return {
    seal(secret, place) {
      const header = Buffer.alloc(IV_OFFSET)
      header[0] = FORMAT
      header.writeUInt32BE(current.version, VERSION_OFFSET)
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(additionalData(header, place))
      const text = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()])
      return Buffer.concat([header, iv, cipher.getAuthTag(), text])
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const version = versionOf(bytes)
      const key = boxKeys.find((candidate) => candidate.version === version)?.key
      if (!key) throw new SealError(`Sealed with key version ${version}, which is not among the configured keys`)
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(IV_OFFSET, TAG_OFFSET))
        .setAAD(additionalData(bytes.subarray(0, IV_OFFSET), place))
        .setAuthTag(bytes.subarray(TAG_OFFSET, TEXT_OFFSET))
      const text = decipher.update(bytes.subarray(TEXT_OFFSET))
      try {
        return new Secret(Buffer.concat([text, decipher.final()]).toString('utf8'))
      } catch {
        throw new SealError(`Does not open with key version ${version}: damaged, or sealed for another place`)
      }
    },
    isCurrent: (sealed) =>
      versionOf(Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)) === current.version,
  }
}

/**
 * Keys for one purpose, one for each version in the same order (HKDF-SHA-256, RFC 5869), so that no key serves two
 * purposes. `purpose` is a fixed word of the caller: changing it changes every key.
 */
export function deriveKeys(keys: SecretKeys, purpose: string): SecretKeys {
  const derive = ({ version, key }: SecretKey): SecretKey => ({
    version,
    key: createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `mdk/${purpose}`, KEY_BYTES))),
  })
  const [first, ...others] = keys
  return [derive(first), ...others.map(derive)]
}

/** Distinguishes a key from others and reveals nothing of it: 16 hexadecimal digits. */
export function fingerprintOf(key: SecretKey): string {
  return deriveKeys([key], 'fingerprint')[0].key.export().toString('hex').slice(0, FINGERPRINT_DIGITS)
}

/**
 * Reads `2:base64,1:base64` (MDK_SECRET_KEYS): versions from 1, each once, and 32 octets each.
 * @throws Error that says which entry is wrong and never shows it.
 */
export function parseSecretKeys(text: string): SecretKeys {
  const keys = text.split(',').map((entry, index) => parseEntry(entry.trim(), `entry ${index + 1}`))
  const seen = new Set<number>()
  for (const { version } of keys) {
    if (seen.has(version)) throw new Error(`key version ${version} is given twice`)
    seen.add(version)
  }
  return keys as [SecretKey, ...SecretKey[]]
}

/** What `parseSecretKeys` reads, for where they are kept. */
export function secretKeysText(keys: SecretKeys): string {
  return keys.map(({ version, key }) => `${version}:${key.export().toString('base64')}`).join(',')
}

function parseEntry(entry: string, name: string): SecretKey {
  const parts = /^([1-9]\d{0,9}):([A-Za-z0-9+/]+={0,2})$/.exec(entry)
  if (!parts) throw new Error(`${name} is not of the form version:base64`)
  const version = Number(parts[1])
  if (version > HIGHEST_VERSION) throw new Error(`${name} has a version above ${HIGHEST_VERSION}`)
  const bytes = Buffer.from(parts[2] as string, 'base64')
  if (bytes.length !== KEY_BYTES) throw new Error(`${name} holds ${bytes.length} octets instead of ${KEY_BYTES}`)
  return { version, key: createSecretKey(bytes) }
}

function versionOf(sealed: Buffer): number {
  if (sealed.length < TEXT_OFFSET || sealed[0] !== FORMAT) throw new SealError('Not sealed by us')
  return sealed.readUInt32BE(VERSION_OFFSET)
}

/** The header is authenticated too: its version must not be changed to lead to another key. */
function additionalData(header: Uint8Array, place: string): Buffer {
  return Buffer.concat([header, Buffer.from(place, 'utf8')])
}
