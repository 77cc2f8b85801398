// Says of an address, by its octets, whether the public may be reached there. Knows nothing of names or URLs.
// Sources: the IANA special-purpose address registries (RFC 6890), as ipaddr.js lists them.
import ipaddr from 'ipaddr.js'
import { type Network, parseAddress } from '../network.ts'

/** `public`, or the word for what kind of address it is instead, such as `private` or `loopback`. */
export type AddressClass = string

/** The only part of IPv6 that is handed out for use on the internet (RFC 4291, IANA). */
const GLOBAL_UNICAST: Network = [ipaddr.IPv6.parse('2000::'), 3]
/** Interface identifiers that end in an IPv4 address (ISATAP, RFC 5214 part 6.1), under any prefix. */
const ISATAP_IDENTIFIERS = [0x0000, 0x0200]
const ISATAP_MARK = 0x5efe

/**
 * Classifies a literal address. An IPv6 address that embeds an IPv4 one is never public, whatever it embeds: what a
 * gateway makes of it cannot be seen from here. Takes canonical and other spellings that `isIP` accepts;
 * anything else, also with a zone, is `malformed`.
 */
export function classifyAddress(address: string): AddressClass {
  const parsed = parseAddress(address)
  if (!parsed) return 'malformed'
  const range = parsed.range()
  if (parsed.kind() === 'ipv4') return range === 'unicast' ? 'public' : range
  const octets = parsed as ipaddr.IPv6
  if (isIsatap(octets)) return 'isatap'
  if (range !== 'unicast') return range
  return octets.match(GLOBAL_UNICAST) ? 'public' : 'reserved'
}

/** True when one of the networks holds the address. An IPv4 network does not hold IPv6 forms of its addresses. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const parsed = parseAddress(address)
  return parsed !== undefined && networks.some((network) => holds(network, parsed))
}

function holds([network, prefixLength]: Network, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network.kind() === address.kind() && address.match(network, prefixLength)
}

function isIsatap(address: ipaddr.IPv6): boolean {
  return ISATAP_IDENTIFIERS.includes(address.parts[4] as number) && address.parts[5] === ISATAP_MARK
}
