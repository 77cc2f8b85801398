// What all the bodies that one process holds at once may weigh: a few clients with the largest bodies that are allowed,
// sent as slowly as is allowed, must not fill its memory. Knows nothing of what is in them.
import { type Readable, Transform } from 'node:stream'
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
   * Counts the body of a request, by the length that it names, until its answer has gone or its connection has ended.
   * @throws Problem service_unavailable, with Retry-After, when there is no room for it now
   */
  admit(request: FastifyRequest, reply: FastifyReply): void
  /**
   * Counts a body that names no length (RFC 9112 7.1) as it comes. Gives the stream to read it from, which ends with the
   * same problem.
   */
  watch<Body extends Readable>(request: FastifyRequest, reply: FastifyReply, body: Body): Body | Transform
}

const UNSIGNED = ''

export function createBodyBudget(bounds: BodyBounds): BodyBudget {
  const held = new Map<string, number>()
  let sum = 0

  /** @throws Problem service_unavailable */
  function take(holder: string, octets: number): void {
    const share = holder === UNSIGNED ? bounds.mostUnsigned : bounds.mostOfTenant
    if (sum + octets > bounds.most || (held.get(holder) ?? 0) + octets > share) {
      throw problem('service_unavailable', { headers: { 'retry-after': '1' } })
    }
    add(holder, octets)
  }

  function add(holder: string, octets: number): void {
    sum += octets
    const now = (held.get(holder) ?? 0) + octets
    if (now > 0) held.set(holder, now)
    else held.delete(holder)
  }

  return {
    admit(request, reply) {
      const octets = Number(request.headers['content-length'] ?? 0)
      // What is longer than the route allows is refused for it before any of it is read.
      const holder = holderOf(request)
      if (octets <= freeTo(holder) || octets > request.routeOptions.bodyLimit) return
      take(holder, octets)
      reply.raw.once('close', () => add(holder, -octets))
    },
    watch(request, reply, body) {
      if (request.headers['transfer-encoding'] === undefined) return body
      const holder = holderOf(request)
      let seen = 0
      let taken = 0
      const counted = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          seen += chunk.length
          try {
            if (seen > freeTo(holder) && !reply.raw.closed) {
              take(holder, seen - taken)
              taken = seen
            }
            done(null, chunk)
          } catch (error) {
            done(error as Error)
          }
        },
      })
      reply.raw.once('close', () => add(holder, -taken))
      // Not a pipeline: the answer still goes over the connection of a body that is refused.
      body.on('error', (error) => counted.destroy(error))
      body.on('close', () => body.readableEnded || counted.destroy(new Error('the body was broken off')))
      // It may fail when nobody reads any more; unheard, that would end the process.
      counted.on('error', () => {})
      return body.pipe(counted)
    },
  }

  function freeTo(holder: string): number {
    return holder === UNSIGNED ? 0 : bounds.freeWithKey
  }
}

/** The principal is null where nobody has to show a key. */
function holderOf(request: FastifyRequest): string {
  return (request.principal as FastifyRequest['principal'] | null)?.tenantId ?? UNSIGNED
}
