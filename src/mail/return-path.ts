// The envelope sender of a message, signed: whatever comes back to it names its message, and nobody else can make
// one. Pure; knows nothing of what comes back.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { base32nopad } from '@scure/base'
import { deriveKeys, type SecretKeys } from '../lib/secret-box.ts'
import type { Uuid } from '../lib/uuid.ts'

/**
 * The domain that takes what comes back, in lower case, and the keys, those of return paths and those of envelope ids,
 * of which the first signs and every one verifies.
 */
export interface ReturnPathSettings {
  readonly domain: string
  readonly keys: SecretKeys
  readonly envelopeIdKeys: SecretKeys
}

// `bounce+<tag>`: 52 octets of the 64 that a local part may have (RFC 5321 §4.5.3.1.1). The tag is the message id
// (16 octets) and the head of an HMAC-SHA-256 over it (12 octets: 96 bits), in base32 (RFC 4648 §6) because a
// relay may change the case of a local part.
const PREFIX = 'bounce+'
const ID_OCTETS = 16
const SIGNATURE_OCTETS = 12
const TAG = /^[a-z2-7]{45}$/

/** Derives keys that serve return paths alone, and such that serve envelope ids alone. */
export function returnPathSettings(domain: string, secretKeys: SecretKeys): ReturnPathSettings {
  return {
    domain: domain.toLowerCase(),
    keys: deriveKeys(secretKeys, 'return-path'),
    envelopeIdKeys: deriveKeys(secretKeys, 'envelope-id'),
  }
}

/** The return path of a message: an address without angle brackets. */
export function signReturnPath(messageId: Uuid, { domain, keys }: ReturnPathSettings): string {
  const id = Buffer.from(messageId.replaceAll('-', ''), 'hex')
  const tag = base32nopad.encode(Buffer.concat([id, signature(id, keys[0])])).toLowerCase()
  return `${PREFIX}${tag}@${domain}`
}

/** The message a return path was made for; undefined unless it is one of ours, in whatever case. */
export function readReturnPath(address: string, { domain, keys }: ReturnPathSettings): { messageId: Uuid } | undefined {
  const [local = '', given, ...more] = address.toLowerCase().split('@')
  const tag = local.slice(PREFIX.length)
  if (!local.startsWith(PREFIX) || given !== domain || more.length > 0 || !TAG.test(tag)) return undefined
  const octets = octetsOf(tag)
  if (!octets) return undefined
  const id = octets.subarray(0, ID_OCTETS)
  const matches = keys.map((key) => timingSafeEqual(signature(id, key), octets.subarray(ID_OCTETS)))
  return matches.includes(true) ? { messageId: toUuid(id) } : undefined
}

/** Undefined where the bit that 28 octets leave over is not as we write it: each message has one return path only. */
function octetsOf(tag: string): Buffer | undefined {
  try {
    return Buffer.from(base32nopad.decode(tag.toUpperCase()))
  } catch {
    return undefined
  }
}

function signature(id: Buffer, { key }: SecretKeys[number]): Buffer {
  return createHmac('sha256', key).update(id).digest().subarray(0, SIGNATURE_OCTETS)
}

function toUuid(id: Buffer): Uuid {
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
