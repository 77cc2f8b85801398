// Asks the configured resolvers for every address of a name. Knows nothing of which addresses are fit. The hosts file,
// which is the machine's own affair, is not consulted.
import type { DnsResolver } from '../resolver.ts'

export interface Addresses {
  readonly kind: 'addresses'
  readonly addresses: readonly string[]
  readonly ttlSeconds: number
}

export type Resolution = Addresses | { readonly kind: 'dns'; readonly detail: string }

/** Every failure is a value. Only addresses that were seen here, and so can be judged, are ever dialled. */
export async function resolveName(resolver: Pick<DnsResolver, 'addresses'>, name: string): Promise<Resolution> {
  const answer = await resolver.addresses(name)
  switch (answer.kind) {
    case 'records':
      return {
        kind: 'addresses',
        addresses: answer.records.map(({ address }) => address),
        ttlSeconds: Math.min(...answer.records.map(({ ttl }) => ttl)),
      }
    case 'none':
      return { kind: 'dns', detail: 'the name has no address' }
    case 'failed':
      return { kind: 'dns', detail: `the name could not be resolved (${answer.code})` }
  }
}
