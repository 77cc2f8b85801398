// Addresses as people type and paste them. Pure. Whether one is good the server says when the draft is sent.
import addressparser from 'nodemailer/lib/addressparser'
import type { DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'

export type Recipient = DraftContent['to'][number]

/** RFC 5321 §4.5.3.1 */
const MOST_ADDRESS_CHARACTERS = 254
/** Of a draft. */
const MOST_TYPED_CHARACTERS = 320
const MOST_NAME_CHARACTERS = 256

/** `a@x.test, "B, C" <b@y.test>; …`, and one to a line. What names no address is kept as it is, to be put right. */
export function recipientsIn(text: string): Recipient[] {
  const entries = addressparser(text.replace(/[\r\n\t]+/g, ', '), { flatten: true })
  return entries.flatMap(({ address = '', name }) => {
    const typed = (address || name).trim().slice(0, MOST_TYPED_CHARACTERS).toWellFormed()
    if (typed === '') return []
    const called = address && name && name !== address ? name.trim().slice(0, MOST_NAME_CHARACTERS).toWellFormed() : ''
    return { address: typed, name: called || null }
  })
}

/** Whether what was typed so far is whole, so that what comes next is another: not within quotes or angle brackets. */
export function endsAnAddress(text: string): boolean {
  if (!/[,;]\s*$/.test(text)) return false
  const quotes = [...text.replaceAll(/\\./g, '')].filter((character) => character === '"').length
  return quotes % 2 === 0 && text.lastIndexOf('<') <= text.lastIndexOf('>')
}

const LOCAL = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u
const DOMAIN = /^(?:[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}])?\.)+\p{L}[\p{L}\p{N}\p{M}-]*$/u

export function looksLikeAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)]
  return address.length <= MOST_ADDRESS_CHARACTERS && LOCAL.test(local) && DOMAIN.test(domain)
}

export const sameAddress = (one: string, other: string): boolean => spelling(one) === spelling(other)

/** The first of each. */
export function withoutDoubles(recipients: readonly Recipient[]): Recipient[] {
  const first = new Map<string, Recipient>()
  for (const one of recipients) if (!first.has(spelling(one.address))) first.set(spelling(one.address), one)
  return [...first.values()]
}

/** As one types it to change it. */
export function written({ address, name }: Recipient): string {
  if (name === null) return address
  return /^[\p{L}\p{N}\p{M} .'-]+$/u.test(name)
    ? `${name} <${address}>`
    : `"${name.replace(/["\\]/g, '\\$&')}" <${address}>`
}

/** Domains have one spelling in ASCII (RFC 5890); nobody has two mailboxes that differ by case alone. */
function spelling(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const host = URL.parse(`http://${address.slice(at)}`)?.hostname ?? address.slice(at)
  return `${address.slice(0, at)}${host}`.toLowerCase()
}
