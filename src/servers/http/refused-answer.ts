// What is known of an answer that refused a request, for whoever keeps it: nothing of the body, of the query or of the key.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Credential } from '../../access/actor.ts'
import type { RefusedRequest } from '../../access/refused-request.ts'
import { originOf } from './request-origin.ts'

/** As much of a path as any of ours has. */
const PATH_CHARACTERS = 512

/** `knownAs`: whose key the request came with, be it good or no longer. */
export function refusedAnswer(request: FastifyRequest, knownAs: Credential, reply: FastifyReply): RefusedRequest {
  const { refusedWith, routeOptions } = request
  const { tenantId, environmentId, appId, keyId } = knownAs
  const durationMs = Math.round(reply.elapsedTime)
  return {
    ...{ tenantId, environmentId, appId, keyId },
    ...originOf(request),
    at: new Date(Date.now() - durationMs).toISOString(),
    method: request.method,
    route: (routeOptions.url ?? '').replaceAll(/:(\w+)/g, '{$1}'),
    path: (request.url.split('?', 1)[0] ?? '').slice(0, PATH_CHARACTERS),
    status: reply.statusCode,
    code: refusedWith,
    durationMs,
  }
}
