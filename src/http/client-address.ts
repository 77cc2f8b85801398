// Who a request comes from: the address it is counted by, whatever stands between. Pure.
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A network: the address and the length of its prefix in bits. */
export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** True for an address within one of the networks. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  if (networks.length === 0 || !ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits))
}

/** IPv6 by its /64, which is what one client has; IPv4 as it is, also where it is written as IPv6. */
export function countedAs(address: string): string {
  if (isIPv4(address)) return address
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`
}
