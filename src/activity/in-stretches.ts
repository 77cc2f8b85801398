// Makes words of many messages without keeping the process from anything else: whoever wrote them decides how much there is to do.
import { setImmediate as otherWork } from 'node:timers/promises'
import type { MailAddress } from '../mail/mail-address.ts'

/** Between two looks at what else there is to do. */
const OCTETS_AT_A_STRETCH = 131_072
/** An octet of an address becomes words, whole and in parts, in several fields: it takes as long as so many of a text. */
export const WEIGHT_OF_ADDRESSES = 8

/** In their order. `weigh`: the octets of a text that take as long. */
export async function inStretches<Item, Made>(
  items: readonly Item[],
  weigh: (item: Item) => number,
  make: (item: Item) => Made,
): Promise<Made[]> {
  const made: Made[] = []
  let octets = 0
  for (const item of items) {
    made.push(make(item))
    octets += weigh(item)
    if (octets < OCTETS_AT_A_STRETCH) continue
    octets = 0
    await otherWork()
  }
  return made
}

export function weightOfAddresses(addresses: readonly MailAddress[]): number {
  const characters = addresses.reduce((sum, { address, name }) => sum + address.length + (name?.length ?? 0), 0)
  return WEIGHT_OF_ADDRESSES * characters
}
