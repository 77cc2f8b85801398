// Asks the DNS for records, with a deadline. Knows nothing of what the records mean. Speaks DNS itself (c-ares)
// instead of calling getaddrinfo, so that a hung server holds none of the process's few I/O threads.
import { promises as dns, type MxRecord } from 'node:dns'

/** What a question may come to. `none`: there is no such name or record. `failed`: nobody could say. */
export type DnsAnswer<Record> =
  | { kind: 'records'; records: Record[] }
  | { kind: 'none' }
  /** The resolver's word for it, such as `ETIMEOUT`. */
  | { kind: 'failed'; code: string }

/** The record types that mail asks for. TXT: each record is its character strings. */
export interface DnsRecords {
  A: string
  AAAA: string
  MX: MxRecord
  PTR: string
  TXT: string[]
}

export interface DnsResolver {
  /** Never fails; ends within about four seconds, whatever the servers do. */
  query<Type extends keyof DnsRecords>(name: string, type: Type): Promise<DnsAnswer<DnsRecords[Type]>>
  /** Ends what is under way. */
  close(): void
}

const TRY_MS = 2_000
const TRIES = 2

/** Asks `servers` (`address` or `address:port`), or the system's when there are none. */
export function createDnsResolver(servers: readonly string[] = []): DnsResolver {
  const resolver = new dns.Resolver({ timeout: TRY_MS, tries: TRIES, maxTimeout: TRY_MS })
  if (servers.length > 0) resolver.setServers(servers)
  const ask = { A: 'resolve4', AAAA: 'resolve6', MX: 'resolveMx', PTR: 'resolvePtr', TXT: 'resolveTxt' } as const
  return {
    async query<Type extends keyof DnsRecords>(name: string, type: Type): Promise<DnsAnswer<DnsRecords[Type]>> {
      try {
        const records = (await resolver[ask[type]](name)) as DnsRecords[Type][]
        // Some servers answer with nothing where others say that there is nothing.
        return records.length > 0 ? { kind: 'records', records } : { kind: 'none' }
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN'
        return NO_RECORD.has(code) ? { kind: 'none' } : { kind: 'failed', code }
      }
    },
    close: () => resolver.cancel(),
  }
}

/**
 * These are answers. A name that is none has no records either: whoever chose the name, nothing will change by
 * asking again.
 */
const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME', 'EBADQUERY', 'ERR_INVALID_ARG_VALUE'])
