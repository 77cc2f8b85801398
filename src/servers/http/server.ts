// The HTTP machinery every route stands on: request ids, who may, JSON in, errors out, one log line a request.
// Knows no feature.

import type { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import type { Logger } from 'pino'
import type { Credential } from '../../access/actor.ts'
import { type Problem, type ProblemCode, problem } from '../../access/problem.ts'
import type { RefusedRequest } from '../../access/refused-request.ts'
import { isWithin, type Network } from '../../lib/network.ts'
import { openFilesLimit } from '../../lib/open-files.ts'
import type { WatchedKeyPair } from '../../lib/tls/watch-key-pair.ts'
import { isUuid, newId, type Uuid } from '../../lib/uuid.ts'
import { createBodyBudget } from './body-budget.ts'
import { boundConnections } from './bound-connections.ts'
import { withoutPort } from './client-address.ts'
import { addContentParsers } from './content-parsers.ts'
import { endConnections } from './end-connections.ts'
import {
  absentPath,
  answerBrokenHttp,
  answerConnect,
  answerPlainHttp,
  commonHeaders,
  sendError,
} from './error-answers.ts'
import type { OutsideIpGuard } from './gate.ts'
import { refusedAnswer } from './refused-answer.ts'
import { headerGivenTwice } from './request-headers.ts'
import { speakTls, tlsOptions } from './speak-tls.ts'
import { HttpProblem } from './status-codes.ts'
import { closedQuery, createValidatorCompiler } from './validation.ts'

export type Server = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  Logger,
  TypeBoxTypeProvider
>

/** JSON bodies, unless a route says otherwise. specification.md#limits-of-a-request */
const BODY_LIMIT_BYTES = 64 * 1024
const MIB = 1024 * 1024
/** Three of the largest sends of a tenant at once, and twice that for all. */
const BODY_BOUNDS = {
  most: 256 * MIB,
  mostUnsigned: 32 * MIB,
  freeWithKey: BODY_LIMIT_BYTES,
  paceOctets: 64 * 1024,
  paceMs: 10_000,
  unsignedMs: 20_000,
}
const HEADERS_TIMEOUT_MS = 10_000
/** How often it is looked for connections that are past their time. */
const CHECK_CONNECTIONS_MS = 2_000
/** What one process holds open at most: somebody who opens connections and says nothing must not fill its memory. */
const MOST_CONNECTIONS = 10_000
/** For a request to come, and for its answer to be read on, or anything at all to be said meanwhile. */
const REQUEST_TIMEOUT_MS = 120_000
/** For both together: the largest file at 30 KB a second. */
const REQUEST_WITH_ANSWER_MS = 15 * 60_000
const KEEP_ALIVE_MS = 72_000
/** Once it stops: the process ends within 30 s, and what the requests began ends after them. specification.md#stopping */
const END_CONNECTIONS = { silentMs: 1_000, withinMs: 20_000 }

/** A browser that has seen it asks over https alone for a year (RFC 6797). */
const STRICT_TRANSPORT = 'max-age=31536000'

const READS = new Set(['GET', 'HEAD'])

/** Who may ask: whoever has a key or a session, or what the route itself checks, or everybody. */
type Auth = 'key' | 'session' | 'signed' | 'open'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that does not say is not served. */
    auth?: Auth
    /** Its body is handed on as it comes, and never held. */
    streamsBody?: boolean
    /** Which bound counts it instead of the IP guard. */
    outsideIpGuard?: OutsideIpGuard
  }
  interface FastifyRequest {
    /** Whoever was let in; null where nobody has to show anything. */
    caller: Caller | null
    /** Whose key it came with, be it good or no longer; null when none has proven right. */
    knownAs: Credential | null
    /** Of what it was refused with. */
    refusedWith: ProblemCode | null
    /** The message a request is about, for the log. */
    messageId: string | null
    /** Set when the URL proved to be one that the service has signed. */
    isSigned: boolean
  }
}

/** What the log says of whoever was let in, and whose share of memory a body takes. */
export interface Caller {
  tenantId: Uuid
  appId?: Uuid
  userId?: Uuid
}

/** Lets a request in by what it shows, and sets its `caller` as soon as that is known. @throws Problem when it does not */
export type Door = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export interface ServerDeps {
  log: Logger
  /** One for each way in that its routes have. */
  doors?: { readonly key?: Door; readonly session?: Door }
  /** Asked of every request before anything else. @throws Problem when it may not go on */
  guard?: ((request: FastifyRequest, reply: FastifyReply) => Promise<void>) | undefined
  /** Networks whose X-Forwarded-For is believed. */
  trustedProxies?: readonly Network[]
  /** Networks whose connections are not counted as those of one address; nor are the trusted proxies'. */
  ipAllow?: readonly Network[]
  /** By which it speaks HTTPS; plain HTTP without. */
  certificate?: WatchedKeyPair | undefined
  /** Called with every answer. `route` is the pattern, or 'unknown'. */
  onAnswer(answer: { method: string; route: string; status: number; seconds: number }): void
  /** Called with every answer of 4xx and 5xx to a request with a known key. It must not throw. */
  onRefused?: ((request: RefusedRequest) => void) | undefined
}

/** Builds a server without routes. Routes added to it afterwards are covered by everything here. */
export function buildServer(deps: ServerDeps): Server {
  const http = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    maxHeaderSize: 16 * 1024,
    // Refused here instead, with an answer in our form.
    requireHostHeader: false,
  }
  const app = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newId,
    requestIdHeader: false,
    trustProxy: (address: string) => isWithin(withoutPort(address), deps.trustedProxies ?? []),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // What still comes over an open connection at the stop is answered like the rest, and its connection then closed.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 512 },
    ...(deps.certificate ? { https: { ...http, ...tlsOptions(deps.certificate) } } : { http }),
    clientErrorHandler: (error, socket) => answerBrokenHttp(error, socket as Socket, isAnswering),
    frameworkErrors: (error, request, reply) => void refuse(error, request, reply),
  }) as unknown as Server
  if (deps.certificate) speakTls(app.server, deps.certificate, answerPlainHttp)
  boundConnections(app.server, {
    // The work behind the connections needs files too.
    most: Math.min(MOST_CONNECTIONS, Math.floor(openFilesLimit() / 2)),
    uncounted: [...(deps.trustedProxies ?? []), ...(deps.ipAllow ?? [])],
    requestMs: REQUEST_WITH_ANSWER_MS,
  })
  // A client that waits for leave to send its body gets it from Node; whatever else it expects is not our business.
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))
  const isAnswering = endConnections(app.server, END_CONNECTIONS)
  app.server.on('connect', (_request, socket) => answerConnect(socket as Socket))

  app.setValidatorCompiler(createValidatorCompiler())
  app.decorateRequest('caller', null)
  app.decorateRequest('knownAs', null)
  app.decorateRequest('refusedWith', null)
  app.decorateRequest('messageId', null)
  app.decorateRequest('isSigned', false)
  addContentParsers(app)

  const bodies = createBodyBudget(BODY_BOUNDS)
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    const methods = methodsOf.get(route.url) ?? new Set()
    for (const method of [route.method].flat()) methods.add(method)
    methodsOf.set(route.url, methods)
    const { auth, scope } = route.config ?? {}
    const hasDoor = (auth !== 'key' && auth !== 'session') || deps.doors?.[auth] !== undefined
    if (!auth || !hasDoor || (auth === 'key') !== (scope !== undefined)) {
      throw new Error(`${route.url} does not say who may ask`)
    }
    if (auth !== 'open') route.schema = { ...route.schema, querystring: closedQuery(route.schema?.querystring) }
  })

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request.id))
    // Over plain HTTP it means nothing (RFC 6797 7.2); a trusted proxy says what it was asked over.
    if (request.protocol === 'https') reply.header('strict-transport-security', STRICT_TRANSPORT)
    await deps.guard?.(request, reply)
    refuseBadHeaders(request)
    const ids = request.params as Record<string, string>
    // The router takes nothing at all for a parameter too.
    if (request.is404 || Object.values(ids).includes('')) {
      throw absentRoute(request.method, methodsAt(methodsOf, request.url))
    }
    const { auth } = request.routeOptions.config
    if (auth !== 'key' && auth !== 'session') return
    await deps.doors?.[auth]?.(request, reply)
    // Parameters are ids unless their names say otherwise: a malformed one names nothing, capitals name the same as small
    // letters.
    for (const [name, id] of Object.entries(ids)) {
      if (!/id$/i.test(name)) continue
      if (!isUuid(id)) throw problem('not_found')
      ids[name] = id.toLowerCase()
    }
  })

  // After every hook that may refuse a request by its headers.
  app.addHook('preParsing', (request, reply, body, done) => {
    // What comes with GET is nobody's to read: Node lets it pass.
    if (request.routeOptions.config.streamsBody || READS.has(request.method)) return done(null, body)
    let admitted: typeof body
    try {
      admitted = bodies.admit(request, reply, body)
    } catch (error) {
      return done(error as FastifyError)
    }
    done(null, admitted)
  })

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const seconds = reply.elapsedTime / 1000
    deps.onAnswer({ method: request.method, route, status: reply.statusCode, seconds })
    request.log.info(
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...request.caller,
        messageId: request.messageId ?? undefined,
      },
      'request',
    )
    if (reply.statusCode >= 400 && request.knownAs) deps.onRefused?.(refusedAnswer(request, request.knownAs, reply))
  })

  app.setErrorHandler<FastifyError>(sendError)

  /** What the framework refuses before any hook is counted like the rest. */
  async function refuse(error: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const limited = await deps.guard?.(request, reply).catch((reason: FastifyError) => reason)
    sendError(limited ?? error, request, reply)
  }
  return app
}

function absentRoute(method: string, allowed: string[]): Problem {
  if (allowed.length === 0) return absentPath()
  const allow = allowed.join(', ')
  return new HttpProblem('method_not_allowed', { allow }, { message: `This path takes ${allow}, and not ${method}.` })
}

/** @throws Problem bad_request (RFC 9110 5.3, 7.2) */
function refuseBadHeaders({ headers, raw }: FastifyRequest): void {
  if (headers.host === undefined && raw.httpVersion !== '1.0') {
    throw problem('bad_request', { message: 'The header Host is missing.' })
  }
  const twice = headerGivenTwice(raw.rawHeaders)
  if (twice)
    throw problem('bad_request', { message: `The header ${twice} is given twice.`, details: { header: twice } })
}

/** The methods of the routes that this URL's path matches. */
function methodsAt(methodsOf: ReadonlyMap<string, ReadonlySet<string>>, url: string): string[] {
  const path = url.split('?')[0]?.split('/') ?? []
  const methods = new Set<string>()
  for (const [pattern, known] of methodsOf) {
    const parts = pattern.split('/')
    if (
      parts.length === path.length &&
      parts.every((part, i) => part === path[i] || (path[i] && part.startsWith(':')))
    ) {
      for (const method of known) methods.add(method)
    }
  }
  return [...methods].sort()
}
