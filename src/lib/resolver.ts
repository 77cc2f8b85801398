// Asks the DNS for records, with a deadline. Knows nothing of what the records mean. Speaks DNS itself (c-ares)
// instead of calling getaddrinfo, so that a hung server holds none of the process's few I/O threads.
import { promises as dns, type MxRecord, type RecordWithTtl } from 'node:dns'

/** What a question may come to. `none`: there is no such name or record. `failed`: nobody could say. */
export type DnsAnswer<Record> =
  | { kind: 'records'; records: Record[] }
  | { kind: 'none' }
  /** The resolver's word for it, such as `ETIMEOUT`. */
  | { kind: 'failed'; code: string }

/** The record types that are asked for. TXT: each record is its character strings. */
export interface DnsRecords {
  A: string
  AAAA: string
  CNAME: string
  MX: MxRecord
  PTR: string
  TXT: string[]
}

export interface DnsResolver {
  /** Never fails; ends within two tries, whatever the servers do. */
  query<Type extends keyof DnsRecords>(name: string, type: Type): Promise<DnsAnswer<DnsRecords[Type]>>
  /**
   * Every address of a name, IPv4 first, with the seconds it may be kept for. One family's are enough when the
   * other's cannot be had.
   */
  addresses(name: string): Promise<DnsAnswer<RecordWithTtl>>
  /** Ends what is under way. */
  close(): void
}

const TRY_MS = 2_000
const TRIES = 2

/** Asks `servers` (`address` or `address:port`), or the system's when there are none, each try for `tryMs`. */
export function createDnsResolver(servers: readonly string[] = [], tryMs: number = TRY_MS): DnsResolver {
  const resolver = new dns.Resolver({ timeout: tryMs, tries: TRIES, maxTimeout: tryMs })
  if (servers.length > 0) resolver.setServers(servers)
  const ask = {
    A: 'resolve4',
    AAAA: 'resolve6',
    CNAME: 'resolveCname',
    MX: 'resolveMx',
    PTR: 'resolvePtr',
    TXT: 'resolveTxt',
  } as const
  return {
    query: <Type extends keyof DnsRecords>(name: string, type: Type) =>
      answerOf(() => resolver[ask[type]](name) as Promise<DnsRecords[Type][]>),
    async addresses(name) {
      const answers = await Promise.all([
        answerOf(() => resolver.resolve4(name, { ttl: true })),
        answerOf(() => resolver.resolve6(name, { ttl: true })),
      ])
      const records = answers.flatMap((answer) => (answer.kind === 'records' ? answer.records : []))
      if (records.length > 0) return { kind: 'records', records }
      return answers.find((answer) => answer.kind === 'failed') ?? { kind: 'none' }
    },
    close: () => resolver.cancel(),
  }
}

async function answerOf<Record>(asked: () => Promise<Record[]>): Promise<DnsAnswer<Record>> {
  try {
    const records = await asked()
    // Some servers answer with nothing where others say that there is nothing.
    return records.length > 0 ? { kind: 'records', records } : { kind: 'none' }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN'
    return NO_RECORD.has(code) ? { kind: 'none' } : { kind: 'failed', code }
  }
}

/**
 * These are answers. A name that is none has no records either: whoever chose the name, nothing will change by
 * asking again.
 */
const NO_RECORD = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME', 'EBADQUERY', 'ERR_INVALID_ARG_VALUE'])
