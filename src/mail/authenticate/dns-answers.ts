// What of the DNS is known while a message is authenticated. Types and the name of a question; asks nobody.
import type { DnsAnswer, DnsRecords } from '../../lib/resolver.ts'

export interface DnsQuestion {
  name: string
  type: keyof DnsRecords
}

/** By `questionKey`. */
export type DnsAnswers = ReadonlyMap<string, DnsAnswer<unknown>>

export function questionKey({ name, type }: DnsQuestion): string {
  return `${type} ${name}`
}
