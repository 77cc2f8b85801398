// Says of an address, by its octets, whether the public may be reached there. Knows nothing of names or URLs.
// Sources: the IANA special-purpose address registries (RFC 6890), as ipaddr.js lists them.
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A network of the operator's choice, from `parseAddressRanges`. */
export type AddressRange = [network: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number]

/** `public`, or the word for what kind of address it is instead, such as `private` or `loopback`. */
export type AddressClass = string

/** The only part of IPv6 that is handed out for use on the internet (RFC 4291, IANA). */
const GLOBAL_UNICAST: AddressRange = [ipaddr.IPv6.parse('2000::'), 3]
/** Interface identifiers that end in an IPv4 address (ISATAP, RFC 5214 part 6.1), under any prefix. */
const ISATAP_IDENTIFIERS = [0x0000, 0x0200]
const ISATAP_MARK = 0x5efe

/**
 * Classifies a literal address. An IPv6 address that embeds an IPv4 one is never public, whatever it embeds: what a
 * gateway makes of it cannot be seen from here. Takes canonical and other spellings that `isIP` accepts;
 * anything else, also with a zone, is `malformed`.
 */
export function classifyAddress(address: string): AddressClass {
  const parsed = parse(address)
  if (!parsed) return 'malformed'
  const range = parsed.range()
  if (parsed.kind() === 'ipv4') return range === 'unicast' ? 'public' : range
  const octets = parsed as ipaddr.IPv6
  if (isIsatap(octets)) return 'isatap'
  if (range !== 'unicast') return range
  return octets.match(GLOBAL_UNICAST) ? 'public' : 'reserved'
}

/** True when one of the ranges holds the address. An IPv4 range does not hold IPv6 forms of its addresses. */
export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  const parsed = parse(address)
  return parsed !== undefined && ranges.some((range) => holds(range, parsed))
}

/**
 * Reads CIDR ranges (`10.0.0.0/8`, `fd00::/8`) and single addresses.
 * @throws Error naming the entry that is neither
 */
export function parseAddressRanges(entries: readonly string[]): AddressRange[] {
  return entries.map((entry) => {
    const [address = '', length, ...rest] = entry.split('/')
    const network = parse(address)
    const bits = network?.kind() === 'ipv4' ? 32 : 128
    const prefixLength = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
    if (!network || rest.length > 0 || !(prefixLength <= bits)) throw new Error(`${entry} is not an address range`)
    return [network, prefixLength]
  })
}

/** `isIP` first: the library alone also reads octal, hexadecimal and short spellings. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(address) === 0 || address.includes('%') ? undefined : ipaddr.parse(address)
}

function holds([network, prefixLength]: AddressRange, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network.kind() === address.kind() && address.match(network, prefixLength)
}

function isIsatap(address: ipaddr.IPv6): boolean {
  return ISATAP_IDENTIFIERS.includes(address.parts[4] as number) && address.parts[5] === ISATAP_MARK
}
