// Networks and the addresses within them: the one parser of both, which takes no spelling that another program might
// read as something else. Pure.
import { isIP, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A network: an address and the length of its prefix in bits. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * `10.0.0.0/8`, `192.0.2.1`, `2001:db8::/32`, `::1` → the network; an address alone is a network of one. An IPv4 address
 * is four decimal numbers without leading zeros (RFC 6943 §3.1.1: others read `010` as octal, or `10.1` as `10.0.0.1`), an
 * IPv6 address has no zone, and an IPv4-mapped one counts as IPv4, as it does in `isWithin`.
 * @throws Error that says what is wrong with it
 */
export function parseNetwork(text: string): Network {
  const [address = '', prefix, ...more] = text.split('/')
  const parsed = more.length > 0 ? undefined : parseAddress(address)
  const most = parsed?.kind() === 'ipv4' ? 32 : 128
  if (!parsed || (prefix !== undefined && !(/^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= most))) {
    throw new Error(`"${text}" is not an address or a network such as 10.0.0.0/8`)
  }
  const bits = prefix === undefined ? most : Number(prefix)
  if (parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress()) {
    if (bits < 96) throw new Error(`"${text}" holds IPv4 and IPv6 addresses alike: name the two networks`)
    return [(parsed as ipaddr.IPv6).toIPv4Address(), bits - 96]
  }
  return [parsed, bits]
}

/**
 * An address without a zone; undefined when it is none. (`isIP` first: the library alone also reads octal, hexadecimal
 * and short spellings.)
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text)
}

/** True for an address within one of the networks. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  if (networks.length === 0 || isIP(address) === 0) return false
  const parsed = ipaddr.process(address)
  return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits))
}

const LOOPBACK: readonly Network[] = ['127.0.0.0/8', '::1'].map(parseNetwork)

/** Whether a host, as a URL or a listener has it, is this machine itself (RFC 6761 6.3). */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name.endsWith('.localhost') || isWithin(name, LOOPBACK)
}

/**
 * What counts as one client: an IPv4 address, also where it is written as IPv6, or the /64 of an IPv6 address, which is
 * what one client is given. `unknown` for what is no address.
 */
export function clientNetwork(address: string): string {
  if (isIPv4(address)) return address
  if (isIP(address) === 0) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}
