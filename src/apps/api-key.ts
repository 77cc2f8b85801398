// The form of an API key: made, read and checked without a look-up.
// specification.md#form-of-an-api-key

import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Environment } from '../access/actor.ts'

const PREFIXES: Record<Environment, string> = { production: 'mdk_live_', sandbox: 'mdk_test_' }
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PUBLIC_ID_RANDOM_BYTES = 14
/** The number of the cell that the key's tenant lives in, so that whoever reads a key knows where to look (ADR 36). */
const CELL_BYTES = Buffer.of(0, 0)
const SECRET_BYTES = 32
/** Base62 characters that hold 16, 32 and 4 bytes. */
const PUBLIC_ID_LENGTH = 22
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORM = /^mdk_(live|test)_([0-9A-Za-z]{22})([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

export interface ApiKey {
  environment: Environment
  /** What the key is looked up by. */
  publicId: string
  /** What only its holder knows. */
  secret: string
}

/** A new random key and the text its holder is shown once. */
export function makeApiKey(environment: Environment): ApiKey & { text: string } {
  const publicId = base62(Buffer.concat([randomBytes(PUBLIC_ID_RANDOM_BYTES), CELL_BYTES]), PUBLIC_ID_LENGTH)
  const secret = base62(randomBytes(SECRET_BYTES), SECRET_LENGTH)
  return { environment, publicId, secret, text: writeApiKey({ environment, publicId, secret }) }
}

/** The text of a key, with the checksum that fits. */
export function writeApiKey({ environment, publicId, secret }: ApiKey): string {
  const body = PREFIXES[environment] + publicId + secret
  return body + checksum(body)
}

/** Takes a key apart. Undefined when the form or the checksum is wrong, which a typing error makes it. */
export function readApiKey(text: string): ApiKey | undefined {
  const parts = FORM.exec(text)
  if (!parts) return undefined
  const [, kind, publicId, secret, sum] = parts as unknown as [string, string, string, string, string]
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== sum) return undefined
  return { environment: kind === 'live' ? 'production' : 'sandbox', publicId, secret }
}

function checksum(text: string): string {
  let value = crc32(text)
  let digits = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = ALPHABET[value % 62] + digits
    value = Math.floor(value / 62)
  }
  return digits
}

/** Big-endian bytes as base62, zero-padded on the left. */
function base62(bytes: Buffer, length: number): string {
  let value = BigInt(`0x${bytes.toString('hex')}`)
  let digits = ''
  for (let i = 0; i < length; i++) {
    digits = ALPHABET[Number(value % 62n)] + digits
    value /= 62n
  }
  return digits
}
