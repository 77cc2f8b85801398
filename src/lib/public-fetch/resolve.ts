// Asks the configured resolvers for every address of a name. Knows nothing of which addresses are fit. Speaks DNS
// itself (c-ares) instead of calling getaddrinfo, so that a hung resolver holds none of the process's few I/O
// threads, and so that the hosts file, which is the machine's own affair, is not consulted.
import { promises as dns, type RecordWithTtl } from 'node:dns'

export interface Addresses {
  readonly kind: 'addresses'
  readonly addresses: readonly string[]
  readonly ttlSeconds: number
}

export type Resolution = Addresses | { readonly kind: 'dns'; readonly detail: string }

export interface NameResolver {
  /** IPv4 addresses first. Every failure is a value; it ends within about four seconds whatever the servers do. */
  resolve(name: string): Promise<Resolution>
  /** Ends what is under way. */
  close(): void
}

const TRY_MS = 1_000
const TRIES = 2
/** These say that the name has no such record, which is an answer. Others say that there was no answer. */
const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND'])

/** Asks `servers` (`address` or `address:port`), or the system's when there are none. */
export function createNameResolver(servers: readonly string[]): NameResolver {
  const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES, maxTimeout: TRY_MS })
  if (servers.length > 0) resolver.setServers(servers)

  return {
    async resolve(name) {
      const answers = await Promise.all([
        resolver.resolve4(name, { ttl: true }).catch(codeOf),
        resolver.resolve6(name, { ttl: true }).catch(codeOf),
      ])
      return resolutionFrom(answers)
    },
    close: () => resolver.cancel(),
  }
}

/**
 * One family's records are enough when the other's cannot be had: only addresses that were seen, and so judged,
 * are ever dialled.
 */
function resolutionFrom(answers: readonly (RecordWithTtl[] | string)[]): Resolution {
  const records = answers.filter((answer) => typeof answer !== 'string').flat()
  if (records.length > 0) {
    return {
      kind: 'addresses',
      addresses: records.map(({ address }) => address),
      ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
    }
  }
  const failure = answers.find((answer) => typeof answer === 'string' && !NO_RECORD.has(answer))
  return {
    kind: 'dns',
    detail: failure ? `the name could not be resolved (${failure})` : 'the name has no address',
  }
}

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message
}
