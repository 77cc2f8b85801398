// Who sent a request, as the audit log keeps it beside the key.
import type { FastifyRequest } from 'fastify'
import { withoutPort } from './client-address.ts'

export interface Actor {
  requestId: string
  clientAddress: string
  userAgent: string | null
}

/** As much of it as helps to recognise a program. */
const USER_AGENT_CHARACTERS = 512

export function actorOf(request: Pick<FastifyRequest, 'id' | 'ip' | 'headers'>): Actor {
  return {
    requestId: request.id,
    clientAddress: withoutPort(request.ip),
    userAgent: request.headers['user-agent']?.slice(0, USER_AGENT_CHARACTERS) ?? null,
  }
}
