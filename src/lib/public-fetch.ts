// Sends requests to URLs that strangers gave, and only where the public may be reached: what a name resolves to is
// judged, and the connection goes to what was judged. Knows nothing of webhooks, and never sends anything twice.
// No redirect is followed, and no proxy of the environment is used.
import { LRUCache } from 'lru-cache'
import Pool from 'undici/lib/dispatcher/pool.js'
import type { Network } from './network.ts'
import { LEAST_PIECE_BYTES } from './public-fetch/allowance.ts'
import { pinnedConnector } from './public-fetch/connect.ts'
import { Exchange, type ExchangeRequest, type Failure, type Outcome } from './public-fetch/exchange.ts'
import { LimitedClient } from './public-fetch/limited-client.ts'
import { type Addresses, resolveName } from './public-fetch/resolve.ts'
import { checkUrl, faultOfAddress, type Target } from './public-fetch/url.ts'
import { createDnsResolver } from './resolver.ts'

export interface PublicFetchOptions {
  /** What may be reached although not public, and over plain http (MDK_WEBHOOK_ALLOW, MDK_SSO_ALLOW, MDK_IMAGE_ALLOW). */
  readonly allow: readonly Network[]
  /** Resolvers to ask; the system's when empty (MDK_DNS_SERVERS). */
  readonly dnsServers: readonly string[]
  /** One deadline over resolving, connecting, TLS, sending, and the whole answer (MDK_WEBHOOK_TIMEOUT). */
  readonly timeoutMs: number
  /** Whether public addresses are reached over plain http too: where nothing secret is sent, and nothing is believed. */
  readonly plainHttp?: boolean
  /** What is read of an answer, heads and framing among it; 64 KiB unless given. */
  readonly mostAnswerBytes?: number
  /** The clock by which a check of a name grows old: it only goes forward, in milliseconds. */
  readonly now?: () => number
}

export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export interface PublicFetch {
  /** Sends one POST, once. Every outcome is a value: it never throws for what a receiver or a network does. */
  post(url: string, request: PostRequest): Promise<Outcome>
  /** Reads what is there, in the same way. `withinMs`: less time than for others. */
  get(url: string, headers: Readonly<Record<string, string>>, withinMs?: number): Promise<Outcome>
  /** Lets what is under way finish, then closes every connection. */
  close(): Promise<void>
}

/**
 * Connections to one origin, all of them to addresses that the last check passed. They are kept alive, and used past
 * the next check only when that finds the same addresses again.
 */
interface Session {
  readonly pool: Pool
  readonly addresses: readonly string[]
  /** On the clock of `now`. */
  checkedUntil: number
}

/** Two tries fit into the deadline of a delivery. */
const DNS_TRY_MS = 1_000
/** How long a resolved name counts as checked: its own time to live within these bounds. */
const CHECK_HOLDS_MIN_MS = 1_000
const CHECK_HOLDS_MAX_MS = 5_000
/** Origins and URLs remembered at once. Beyond them the longest unused is forgotten and costs a new connection. */
const MAX_SESSIONS = 4_096
const MAX_TARGETS = 16_384
/** specification.md#urls-of-endpoints */
const MOST_ANSWER_BYTES = 64 * 1024
/** Idle connections are closed after this, before common servers would (5 s), so that a POST seldom meets a close. */
const IDLE_MS = 4_000

/** Makes the fetcher. It opens nothing until the first request. */
export function createPublicFetch(options: PublicFetchOptions): PublicFetch {
  const { allow, timeoutMs, plainHttp = false, mostAnswerBytes = MOST_ANSWER_BYTES } = options
  const { now = () => performance.now() } = options
  const mostPieces = Math.floor(mostAnswerBytes / LEAST_PIECE_BYTES)
  const resolver = createDnsResolver(options.dnsServers, DNS_TRY_MS)
  const targets = new LRUCache<string, Target>({ max: MAX_TARGETS })
  const sessions = new LRUCache<string, Session>({
    max: MAX_SESSIONS,
    dispose: (session, _origin, reason) => reason === 'evict' && retire(session),
  })
  const checks = new Map<string, Promise<Session | Failure>>()

  return {
    post: (url, { headers, body }) => send(url, { method: 'POST', headers, body }),
    get: (url, headers, withinMs) => send(url, { method: 'GET', headers, body: null }, withinMs),
    async close() {
      resolver.close()
      await Promise.all([...sessions.values()].map(({ pool }) => pool.close()))
      sessions.clear()
    },
  }

  function send(url: string, request: Omit<ExchangeRequest, 'path'>, withinMs = timeoutMs): Promise<Outcome> {
    const exchange = new Exchange(Math.min(withinMs, timeoutMs), mostPieces)
    const target = targetOf(url)
    if ('kind' in target) {
      exchange.fail(target)
    } else {
      const session = sessions.get(target.origin)
      if (session && now() < session.checkedUntil) exchange.send(session.pool, { ...request, path: target.path })
      else void sendAfterCheck(exchange, target, request)
    }
    return exchange.outcome
  }

  function targetOf(url: string): Target | Failure {
    const known = targets.get(url)
    if (known) return known
    const check = checkUrl(url, allow, plainHttp)
    if (!check.ok) return { kind: 'unsafe_address', detail: `the URL ${check.message}` }
    targets.set(url, check.target)
    return check.target
  }

  async function sendAfterCheck(
    exchange: Exchange,
    target: Target,
    request: Omit<ExchangeRequest, 'path'>,
  ): Promise<void> {
    // Requests that come while a check is under way share it.
    let check = checks.get(target.origin)
    if (!check) {
      check = checkedSession(target).finally(() => checks.delete(target.origin))
      checks.set(target.origin, check)
    }
    const session = await check
    if ('kind' in session) exchange.fail(session)
    else exchange.send(session.pool, { ...request, path: target.path })
  }

  async function checkedSession(target: Target): Promise<Session | Failure> {
    const resolution = target.addresses
      ? { kind: 'addresses' as const, addresses: target.addresses, ttlSeconds: Number.POSITIVE_INFINITY }
      : await resolveName(resolver, target.host)
    const judged = resolution.kind === 'dns' ? resolution : judge(resolution, target)

    const old = sessions.get(target.origin)
    sessions.delete(target.origin)
    if (judged.kind !== 'addresses') {
      if (old) retire(old)
      return judged
    }
    const session = old && isWithin(old.addresses, judged.addresses) ? old : open(target.origin, judged.addresses)
    if (old && old !== session) retire(old)
    session.checkedUntil = now() + Math.min(Math.max(judged.ttlSeconds * 1000, CHECK_HOLDS_MIN_MS), CHECK_HOLDS_MAX_MS)
    sessions.set(target.origin, session)
    return session
  }

  /** One address that is not fit makes the name unfit: which one a connection would reach is chance. */
  function judge(resolved: Addresses, target: Target): Addresses | Failure {
    for (const address of resolved.addresses) {
      const detail = faultOfAddress(address, target.encrypted || plainHttp, allow)
      if (detail) return { kind: 'unsafe_address', detail }
    }
    return resolved
  }

  function open(origin: string, addresses: readonly string[]): Session {
    const connector = pinnedConnector(addresses, timeoutMs)
    const pool = new Pool(origin, {
      factory: (to, options: Pool.Options) => new LimitedClient(to, options, { connector, mostAnswerBytes }),
      // The exchange's own deadline is the only one.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    })
    return { pool, addresses, checkedUntil: 0 }
  }
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every((address) => all.includes(address))
}

/** Closes once nothing is under way. Those who have just been given the session send before that: this waits a turn. */
function retire(session: Session): void {
  setImmediate(() => void session.pool.close())
}
