// Keeps refused requests off their way: the answer has gone out before, and nobody waits for what is written here. What a
// flood of them costs is bounded in memory, in statements and in rows.
import type { RefusedRequest } from '../access/refused-request.ts'
import { createGroup } from '../lib/group.ts'
import type { Db } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { trimRefusedRequests, writeRefusedRequests } from './write-refused-requests.ts'

/** Why one was not kept. */
export type NotKept = 'too_many' | 'database'

export interface RefusedRequestKeeper {
  keep(request: RefusedRequest): void
  /** Writes what waits. Nothing is to be kept from its call on. */
  stop(): Promise<void>
}

/** Of a tenant, the newest, and up to a thousand more for each process that writes them. specification.md#retention-times */
const MOST_REFUSED_KEPT = 10_000
const WRITTEN_AT_ONCE = 500
/** That wait in memory, whoever's they are: some 2 MB. */
const MOST_WAITING = 2_000
const MINUTE_MS = 60_000
/** Of a tenant, by this process. */
const MOST_A_MINUTE = 300
/** Of these one key for one reason: a loop that is refused leaves room for what is refused beside it. */
const MOST_OF_A_REASON_A_MINUTE = 60
/** After so many rows of a tenant, and at the first, it is looked whether there are too many. */
const TRIMMED_EVERY = 1_000

/** `onLost`: with how many were not kept, and why. `mostKept`: of a tenant. */
export function keepRefusedRequests(
  db: Db,
  onLost: (reason: NotKept, count: number) => void,
  mostKept = MOST_REFUSED_KEPT,
): RefusedRequestKeeper {
  let minute = 0
  /** In this minute: of a tenant, and of a key for a reason. */
  const counts = new Map<string, number>()
  /** Tenant → rows that were written since it was trimmed. */
  const untrimmed = new Map<Uuid, number>()
  let waiting = 0

  const group = createGroup<RefusedRequest, void>({
    async write(requests) {
      await writeRefusedRequests(db, requests)
      for (const { tenantId } of requests) {
        untrimmed.set(tenantId, (untrimmed.get(tenantId) ?? TRIMMED_EVERY) + 1)
      }
      return requests.map(() => undefined)
    },
    maxItems: WRITTEN_AT_ONCE,
    inFlight: 1,
    ownerOf: ({ tenantId }) => tenantId,
  })

  /** Rows that could not be removed are removed with the next ones. */
  async function trim(tenantId: Uuid): Promise<void> {
    if ((untrimmed.get(tenantId) ?? 0) < TRIMMED_EVERY) return
    untrimmed.set(tenantId, 0)
    await trimRefusedRequests(db, [tenantId], mostKept)
  }

  function isWithinBounds({ tenantId, keyId, code, status }: RefusedRequest): boolean {
    const now = Math.floor(Date.now() / MINUTE_MS)
    if (now !== minute) counts.clear()
    minute = now
    const reason = `${keyId} ${code ?? status}`
    const [ofTenant, ofReason] = [counts.get(tenantId) ?? 0, counts.get(reason) ?? 0]
    if (ofTenant >= MOST_A_MINUTE || ofReason >= MOST_OF_A_REASON_A_MINUTE || waiting >= MOST_WAITING) return false
    counts.set(tenantId, ofTenant + 1)
    counts.set(reason, ofReason + 1)
    return true
  }

  async function write(request: RefusedRequest): Promise<void> {
    waiting += 1
    try {
      await group.add(request)
    } catch {
      onLost('database', 1)
      return
    } finally {
      waiting -= 1
    }
    await trim(request.tenantId).catch(() => {})
  }

  return {
    keep(request) {
      if (isWithinBounds(request)) void write(request)
      else onLost('too_many', 1)
    },
    stop: () => group.drain(),
  }
}
