// Makes a domain's DKIM key (RFC 6376) and seals it for the database. Knows nothing of signing.
import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import pLimit from 'p-limit'
import { Secret } from '../lib/secret.ts'
import { SealError, type SecretBox } from '../lib/secret-box.ts'
import type { Uuid } from '../lib/uuid.ts'

export interface DkimKey {
  /** New for every key, so that a replaced key and its successor are published side by side. */
  selector: string
  /** PKCS #8, PEM. */
  privateKey: Secret
  /** SubjectPublicKeyInfo, base64: the `p` of the record. */
  publicKey: string
}

/** RFC 8301 3.2: at least 1024 bits, 2048 wanted; above that the record outgrows what DNS tools take. */
const KEY_BITS = 2048

/** Each takes one of libuv's four threads, which files, names and passwords need as well: whoever adds many domains waits for their own. */
const inTurn = pLimit(1)

/** Makes a key. Takes a tenth of a second, off the event loop, and one is made at a time. */
export function makeDkimKey(): Promise<DkimKey> {
  return inTurn(generate)
}

async function generate(): Promise<DkimKey> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: KEY_BITS,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  return {
    selector: `mdk-${randomBytes(4).toString('hex')}`,
    privateKey: new Secret(privateKey),
    publicKey: publicKey.toString('base64'),
  }
}

/** A key as the database keeps it: its private half sealed by the service's keys. */
export interface SealedDkimKey {
  selector: string
  publicKey: string
  sealed: Buffer
}

/** What a domain's key is sealed for. */
export interface DkimOwner {
  tenantId: Uuid
  id: Uuid
}

export function sealDkimKey(box: SecretBox, owner: DkimOwner, key: DkimKey): SealedDkimKey {
  return { selector: key.selector, publicKey: key.publicKey, sealed: box.seal(key.privateKey, placeOf(owner)) }
}

/** @throws SealError when none of the service's keys opens it */
export function openDkimKey(box: SecretBox, owner: DkimOwner, sealed: Uint8Array): Secret {
  return box.open(sealed, placeOf(owner))
}

/** The private half sealed anew when an older key of the service sealed it; undefined when nothing is to be done or can be. */
export function resealDkimKey(
  box: SecretBox,
  { dkim, ...owner }: DkimOwner & { dkim: SealedDkimKey | null },
): Buffer | undefined {
  if (!dkim) return undefined
  try {
    if (box.isCurrent(dkim.sealed)) return undefined
    return resealSigningKey(box, owner, dkim.sealed)
  } catch (error) {
    // Damaged, or its key is no longer configured: who signs with it says so, and the domain's check goes on.
    if (error instanceof SealError) return undefined
    throw error
  }
}

/** The same key sealed by the current key of the service. @throws SealError when none of them opens it */
export function resealSigningKey(box: SecretBox, owner: DkimOwner, sealed: Uint8Array): Buffer {
  return box.seal(openDkimKey(box, owner, sealed), placeOf(owner))
}

function placeOf({ tenantId, id }: DkimOwner): string {
  return `domains/${tenantId}/${id}/dkim`
}
