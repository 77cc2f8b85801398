// The envelope id (ENVID, RFC 3461 §4.4) of a message: the relay gives it back in its reports, and no header shows it
// to recipients. So a report that carries it comes from whoever the relay handed the envelope to. Pure.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '../lib/secret-box.ts'
import type { Uuid } from '../lib/uuid.ts'
import type { ReturnPathSettings } from './return-path.ts'

// specification.md#envelope-id: `<id>.<MAC>.<MAC>`, 86 characters of the 100 that RFC 3461 §4.4 allows. The first MAC is the
// signature of the return path, which recipients see; the second has keys of its own and stands nowhere else. Lower-case
// hexadecimal, because a relay may change the case, and nothing in it that xtext (RFC 3461 §4) would encode.
const MAC_OCTETS = 12
const FORM = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[0-9a-f]{24}\.[0-9a-f]{24}$/

/** The envelope id of a message, by the current keys. */
export function signEnvelopeId(messageId: Uuid, { keys, envelopeIdKeys }: ReturnPathSettings): string {
  return envelopeId(messageId.toLowerCase(), keys[0], envelopeIdKeys[0])
}

/**
 * The message an envelope id was made for; undefined unless it is one of ours. Takes it in whatever case, folded, and
 * with or without its xtext undone: reporters differ.
 */
export function readEnvelopeId(text: string, { keys, envelopeIdKeys }: ReturnPathSettings): Uuid | undefined {
  const given = text
    .replace(/\s+/g, '')
    .replace(/\+([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    .toLowerCase()
  const [, id] = FORM.exec(given) ?? []
  if (id === undefined) return undefined
  const matches = keys.map((key, i) => {
    const made = envelopeId(id, key, envelopeIdKeys[i] as SecretKeys[number])
    return timingSafeEqual(Buffer.from(made), Buffer.from(given))
  })
  return matches.includes(true) ? id : undefined
}

function envelopeId(id: string, ...keys: SecretKeys[number][]): string {
  const octets = Buffer.from(id.replaceAll('-', ''), 'hex')
  const macs = keys.map(({ key }) => createHmac('sha256', key).update(octets).digest().subarray(0, MAC_OCTETS))
  return [id, ...macs.map((mac) => mac.toString('hex'))].join('.')
}
