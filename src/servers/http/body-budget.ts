// What all the bodies that one process holds at once may weigh, and how long they may take: a few clients with the
// largest bodies that are allowed, sent as slowly as is allowed, must neither fill its memory nor keep others out. Knows
// nothing of what is in them. ADR 0024.
import { type Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Problem, problem } from '../../access/problem.ts'
import { clientNetwork } from '../../lib/network.ts'
import { withoutPort } from './client-address.ts'
import { createShares } from './shares.ts'

export interface BodyBounds {
  /** Of all that come with a key, in octets; a tenant has half at most. */
  most: number
  /** Of all that come without one; an address has half at most. */
  mostUnsigned: number
  /** What comes with a key and is no larger than this is not counted: there is little of it beside the keys' limits. */
  freeWithKey: number
  /** What a body that is counted must bring in each of these times, to keep its room. */
  paceOctets: number
  paceMs: number
  /** Within which a body without a key is there. */
  unsignedMs: number
}

export interface BodyBudget {
  /**
   * Counts the body of a request as it comes, until its answer has gone or its connection has ended. Gives the stream to
   * read it from, which ends with a Problem when there is no room for more of it (service_unavailable, with Retry-After)
   * or when it is too slow (request_timeout).
   * @throws Problem service_unavailable, with Retry-After, when there is no room now for the length that it names
   */
  admit<Body extends Readable>(request: FastifyRequest, reply: FastifyReply, body: Body): Body | Transform
}

export function createBodyBudget(bounds: BodyBounds): BodyBudget {
  const withKey = createShares(bounds.most)
  const unsigned = createShares(bounds.mostUnsigned)

  return {
    admit(request, reply, body) {
      const { 'content-length': length, 'transfer-encoding': coding } = request.headers
      const octets = Number(length ?? 0)
      const tenantId = request.caller?.tenantId
      const free = tenantId === undefined ? 0 : bounds.freeWithKey
      // What is longer than the route allows is refused for it before any of it is read.
      if (coding === undefined && (octets <= free || octets > request.routeOptions.bodyLimit)) return body
      const shares = tenantId === undefined ? unsigned : withKey
      const holder = tenantId ?? clientNetwork(withoutPort(request.ip))
      if (octets > free && !shares.fits(holder, octets)) throw noRoom()

      let taken = 0
      reply.raw.once('close', () => shares.giveBack(holder, taken))
      const take = (seen: number) => {
        if (seen <= free || reply.raw.closed) return true
        if (!shares.take(holder, seen - taken)) return false
        taken = seen
        return true
      }
      const counted = countedBody(body, take)
      const end = () => counted.destroy(problem('request_timeout'))
      const timer =
        tenantId === undefined
          ? setTimeout(end, bounds.unsignedMs)
          : whenSlow(() => taken, bounds.paceOctets, bounds.paceMs, end)
      timer.unref()
      // Read to its end it is there, whatever becomes of the stream.
      for (const event of ['end', 'close']) counted.once(event, () => clearTimeout(timer))
      return counted
    },
  }
}

/** The body, whose every octet is asked for before it is passed on. `take` is given how many came so far. */
function countedBody(body: Readable, take: (seen: number) => boolean): Transform {
  let seen = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      if (take(seen)) done(null, chunk)
      else done(noRoom())
    },
  })
  // Not a pipeline: the answer still goes over the connection of a body that is refused.
  body.on('error', (error) => counted.destroy(error))
  body.on('close', () => body.readableEnded || counted.destroy(new Error('the body was broken off')))
  // It may fail when nobody reads any more; unheard, that would end the process.
  counted.on('error', () => {})
  return body.pipe(counted)
}

/** Reports when there is something, and less was added to it in the last so many milliseconds. */
function whenSlow(taken: () => number, least: number, everyMs: number, report: () => void): NodeJS.Timeout {
  let before = 0
  return setInterval(() => {
    const now = taken()
    if (now > 0 && now - before < least) report()
    before = now
  }, everyMs)
}

function noRoom(): Problem {
  return problem('service_unavailable', { retryAfterSeconds: 1 })
}
