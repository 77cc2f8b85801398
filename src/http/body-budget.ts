// What all the bodies that one process holds at once may weigh: a few clients with the largest bodies that are allowed,
// sent as slowly as is allowed, must not fill its memory. Knows nothing of what is in them.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { problem } from './problem.ts'

export interface BodyBounds {
  /** Of all together, in octets. */
  most: number
  /** Of one tenant. */
  mostOfTenant: number
  /** Of all that come without a key. */
  mostUnsigned: number
  /** What comes with a key and is no larger than this is not counted: there is little of it beside the keys' limits. */
  freeWithKey: number
}

export interface BodyBudget {
  /**
   * Counts the body of a request, by what it says of itself, until its answer has gone or its connection has ended.
   * @throws Problem service_unavailable, with Retry-After, when there is no room for it now
   */
  admit(request: FastifyRequest, reply: FastifyReply): void
}

const UNSIGNED = ''

export function createBodyBudget(bounds: BodyBounds): BodyBudget {
  const held = new Map<string, number>()
  let sum = 0

  function add(holder: string, octets: number): void {
    sum += octets
    const now = (held.get(holder) ?? 0) + octets
    if (now > 0) held.set(holder, now)
    else held.delete(holder)
  }

  return {
    admit(request, reply) {
      const octets = weightOf(request)
      // Decorated, so that it is null where nobody has to show a key.
      const holder = (request.principal as FastifyRequest['principal'] | null)?.tenantId ?? UNSIGNED
      if (octets === 0 || (holder !== UNSIGNED && octets <= bounds.freeWithKey)) return
      const share = holder === UNSIGNED ? bounds.mostUnsigned : bounds.mostOfTenant
      if (sum + octets > bounds.most || (held.get(holder) ?? 0) + octets > share) {
        throw problem('service_unavailable', { headers: { 'retry-after': '1' } })
      }
      add(holder, octets)
      reply.raw.once('close', () => add(holder, -octets))
    },
  }
}

/** The octets that a body will come to at most; 0 for one that is refused for its length before any of it is read. */
function weightOf({ headers, routeOptions: { bodyLimit } }: FastifyRequest): number {
  const length = headers['content-length']
  if (length === undefined) return headers['transfer-encoding'] === undefined ? 0 : bodyLimit
  return Number(length) <= bodyLimit ? Number(length) : 0
}
