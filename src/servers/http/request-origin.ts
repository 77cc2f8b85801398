// Reads of a request where it comes from.
import type { FastifyRequest } from 'fastify'
import type { RequestOrigin } from '../../access/request-origin.ts'
import { withoutPort } from './client-address.ts'

/** As much of it as helps to recognise a program. */
const USER_AGENT_CHARACTERS = 512

export function originOf(request: Pick<FastifyRequest, 'id' | 'ip' | 'headers'>): RequestOrigin {
  return {
    requestId: request.id,
    clientAddress: withoutPort(request.ip),
    userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_CHARACTERS) ?? null,
  }
}
