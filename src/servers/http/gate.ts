// The limits of a request, in the order of specification.md#order-of-checks: its address before its credentials are
// looked at, then its key's minute, then its tenant's day. What an earlier one refuses a later one does not count.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../access/problem.ts'
import { clientNetwork, isWithin, type Network } from '../../lib/network.ts'
import type { Limit, LimitKind, RateLimiter } from '../../lib/rate-limiter/rate-limiter.ts'
import type { Standing } from '../../lib/rate-limiter/rate-share.ts'
import { withoutPort } from './client-address.ts'

export interface GateOptions {
  limiter: RateLimiter
  /** 0 turns it off. specification.md#request-limits */
  ipPerMinute: number
  /** Addresses that are not counted. */
  ipAllow: readonly Network[]
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** What is signed in another way is outside the IP guard, and each kind of it has a bound of its own. */
export type OutsideIpGuard = 'signed' | 'report'

/**
 * For each address in a minute: nobody in good faith comes near. Reports come from the relay alone, one for each
 * recipient of all tenants.
 */
const OUTSIDE_PER_MINUTE: Record<OutsideIpGuard, number> = { signed: 6_000, report: 60_000 }

/** What `details.limit` of a refusal says. specification.md#codes */
const LIMIT_NAMES: Record<Exclude<LimitKind, 'session' | 'image' | 'user'>, string> = {
  ip: 'ip',
  signed: 'ip',
  report: 'ip',
  key: 'key',
  tenant: 'tenant',
}

export interface Gate {
  /** @throws Problem rate_limited */
  admitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Once the actor is known. @throws Problem rate_limited */
  admitActor(request: FastifyRequest, reply: FastifyReply): Promise<void>
}

export function createGate({ limiter, ipPerMinute, ipAllow }: GateOptions): Gate {
  /** Counts; shows where the request stands by the limit it is nearest to; refuses. */
  async function pass(limit: Limit & { kind: keyof typeof LIMIT_NAMES }, reply: FastifyReply): Promise<void> {
    if (limit.most <= 0) return
    const taken = limiter.take(limit)
    const standing = taken instanceof Promise ? await taken : taken
    showStanding(reply, standing)
    if (!standing.refused) return
    throw problem('rate_limited', {
      details: { limit: LIMIT_NAMES[limit.kind] },
      retryAfterSeconds: standing.resetSeconds,
    })
  }

  return {
    async admitAddress(request, reply) {
      const address = withoutPort(request.ip)
      if (ipPerMinute === 0 || isWithin(address, ipAllow)) return
      const outside = request.routeOptions.config.outsideIpGuard
      const most = outside ? OUTSIDE_PER_MINUTE[outside] : ipPerMinute
      await pass({ kind: outside ?? 'ip', subject: clientNetwork(address), most, windowMs: MINUTE_MS }, reply)
    },
    async admitActor({ actor }, reply) {
      const { keyPerMinute, tenantPerDay } = actor.limits
      await pass({ kind: 'key', subject: actor.keyId, most: keyPerMinute, windowMs: MINUTE_MS }, reply)
      await pass({ kind: 'tenant', subject: actor.tenantId, most: tenantPerDay, windowMs: DAY_MS }, reply)
    },
  }
}

/** The tightest of the limits is the one with the least left. */
function showStanding(reply: FastifyReply, { limit, remaining, resetSeconds }: Standing): void {
  const shown = reply.getHeader('ratelimit-remaining')
  if (shown !== undefined && Number(shown) <= remaining) return
  reply.headers({ 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': resetSeconds })
}
