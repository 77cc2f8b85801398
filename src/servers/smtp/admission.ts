// How many connections one client may have, and open in a minute, and how many mails it may bring at once. Pure but for
// what it counts; the clock is given.
import { clientNetwork, isWithin, type Network } from '../../lib/network.ts'

export interface Admission {
  /** What the address counts as; null when it is not counted. */
  clientOf(address: string): string | null
  /** Why the client may not connect now; undefined when it may. Count it out with `leave` either way. */
  enter(address: string, nowMs: number): string | undefined
  leave(address: string): void
  /** True when the client brings as many mails as it may: `begin` would refuse one more. */
  isBusy(address: string): boolean
  /** False when the client brings too many mails already. Count it out with `end` when it was true. */
  begin(address: string): boolean
  end(address: string): void
}

export const MOST_CONNECTIONS_OF_ONE = 50
export const MOST_NEW_IN_A_MINUTE = 600
export const MOST_MAILS_OF_ONE = 20
const MINUTE_MS = 60_000

/** `allow`: networks whose clients are not counted, as a relay's in front that brings everybody's mail. */
export function createAdmission(allow: readonly Network[]): Admission {
  const open = new Map<string, number>()
  const mails = new Map<string, number>()
  /** New connections of the current minute, forgotten with it. */
  let minute = 0
  let opened = new Map<string, number>()

  const clientOf = (address: string) => (isWithin(address, allow) ? null : clientNetwork(address))

  const isFull = (client: string) => (mails.get(client) ?? 0) >= MOST_MAILS_OF_ONE

  return {
    clientOf,
    enter(address, nowMs) {
      const client = clientOf(address)
      if (client === null) return undefined
      const now = Math.floor(nowMs / MINUTE_MS)
      if (now !== minute) [minute, opened] = [now, new Map()]
      const connections = add(open, client, 1)
      const fresh = add(opened, client, 1)
      if (connections > MOST_CONNECTIONS_OF_ONE) return 'Too many connections from your address'
      return fresh > MOST_NEW_IN_A_MINUTE ? 'Too many connections from your address in a minute' : undefined
    },
    leave(address) {
      const client = clientOf(address)
      if (client !== null) add(open, client, -1)
    },
    isBusy(address) {
      const client = clientOf(address)
      return client !== null && isFull(client)
    },
    begin(address) {
      const client = clientOf(address)
      if (client === null) return true
      if (isFull(client)) return false
      add(mails, client, 1)
      return true
    },
    end(address) {
      const client = clientOf(address)
      if (client !== null) add(mails, client, -1)
    },
  }
}

function add(counts: Map<string, number>, client: string, change: number): number {
  const count = Math.max(0, (counts.get(client) ?? 0) + change)
  if (count === 0) counts.delete(client)
  else counts.set(client, count)
  return count
}
