// Lets in who has an API key: what it proves, its limits, its scope, and the idempotency key where one is needed.
import type { FastifyRequest } from 'fastify'
import type { Application, Credential } from '../../access/actor.ts'
import type { Scope } from '../../access/permissions.ts'
import { problem } from '../../access/problem.ts'
import type { Gate } from './gate.ts'
import { holdsKey } from './request-headers.ts'
import { originOf } from './request-origin.ts'
import type { Door } from './server.ts'
import { HttpProblem } from './status-codes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the key must have; of each route with `auth: 'key'`. */
    scope?: Scope
    /** True when the operation needs an Idempotency-Key. */
    idempotent?: boolean
  }
  interface FastifyRequest {
    /** Set on every route that needs a key. */
    actor: Application
    /** Set on every idempotent route. */
    idempotencyKey: string
  }
}

export interface KeyDoorDeps {
  /** What an API key proves; undefined when it is no good. `onKnown`: whose it is, be it good or no longer. */
  verifyKey(key: string, onKnown: (credential: Credential) => void): Promise<Credential | undefined>
  /** Absent: nothing is limited. */
  gate?: Gate | undefined
}

/** specification.md#order-of-checks */
export function createKeyDoor({ verifyKey, gate }: KeyDoorDeps): Door {
  return async (request, reply) => {
    const { scope, idempotent } = request.routeOptions.config
    if (scope === undefined) throw new Error(`${request.routeOptions.url} does not say which scope it needs`)
    const actor = await authenticate(request, verifyKey)
    request.actor = actor
    request.caller = { tenantId: actor.tenantId, appId: actor.appId }
    await gate?.admitActor(request, reply)
    if (!actor.scopes.has(scope)) throw problem('insufficient_scope', { details: { required: [scope] } })
    if (idempotent) request.idempotencyKey = readIdempotencyKey(request)
  }
}

/** What carries a key in its URL is refused, whatever else it carries. */
async function authenticate(request: FastifyRequest, verifyKey: KeyDoorDeps['verifyKey']): Promise<Application> {
  const header = holdsKey(request.url) ? undefined : request.headers.authorization
  const key = header && /^bearer +([^\s]+)$/i.exec(header)?.[1]
  const credential = key
    ? await verifyKey(key, (known) => {
        request.knownAs = known
      })
    : undefined
  if (!credential) throw new HttpProblem('invalid_api_key', { 'www-authenticate': 'Bearer' })
  return { ...credential, origin: originOf(request) }
}

/** specification.md#idempotency */
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{8,255}$/

function readIdempotencyKey(request: FastifyRequest): string {
  const key = request.headers['idempotency-key']
  if (key === undefined || key === '') throw problem('missing_idempotency_key')
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw problem('invalid_idempotency_key')
  return key
}
