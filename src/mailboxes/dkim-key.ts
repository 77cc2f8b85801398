// Makes a domain's DKIM key and the DNS record that publishes it (RFC 6376 3.6.1). Knows nothing of signing.
import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { Secret } from '../lib/secret.ts'

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

/** Makes a key. Takes a tenth of a second, off the event loop. */
export async function makeDkimKey(): Promise<DkimKey> {
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

export interface DkimRecord {
  type: 'TXT'
  name: string
  /** Longer than 255 characters: DNS tools cut it into strings themselves. */
  value: string
  purpose: 'dkim'
}

/** What the domain's owner puts into the DNS. */
export function dkimRecord(domain: string, key: Pick<DkimKey, 'selector' | 'publicKey'>): DkimRecord {
  return {
    type: 'TXT',
    name: `${key.selector}._domainkey.${domain}`,
    value: `v=DKIM1; k=rsa; p=${key.publicKey}`,
    purpose: 'dkim',
  }
}
