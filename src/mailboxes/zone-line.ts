// A DNS record as zone files write it. Pure.
import type { DnsRecord } from './dns-records.ts'

/** RFC 1035 3.3: a string of a TXT record. */
const MOST_STRING_OCTETS = 255

/** One line: names are absolute, and what a string cannot hold goes on in the next (RFC 1035 5.1; RFC 7208 3.3). */
export function zoneLine({ type, name, value }: DnsRecord): string {
  return `${name}. IN ${type} ${type === 'TXT' ? strings(value).map(quoted).join(' ') : `${value}.`}`
}

/** All that we publish is ASCII: an octet is a character. */
function strings(value: string): string[] {
  const count = Math.max(1, Math.ceil(value.length / MOST_STRING_OCTETS))
  return Array.from({ length: count }, (_, i) => value.slice(i * MOST_STRING_OCTETS, (i + 1) * MOST_STRING_OCTETS))
}

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
