// The HTTP machinery every route stands on: request ids, who may, JSON in, errors out, one log line a request.
// Knows no feature.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import type { Logger } from 'pino'
import secureJson from 'secure-json-parse'
import { StoreUnavailable } from '../lib/object-store.ts'
import { isUnavailable } from '../lib/sql.ts'
import { isUuid, newId } from '../lib/uuid.ts'
import { isWithin, type Network } from './client-address.ts'
import type { Gate } from './gate.ts'
import type { Principal, Scope } from './principal.ts'
import { envelope, Problem, type ProblemCode, problem } from './problem.ts'
import { createValidatorCompiler, validationProblem } from './validation.ts'

export type Server = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  Logger,
  TypeBoxTypeProvider
>

/** DECISIONS "Message": JSON bodies, unless a route says otherwise. */
export const BODY_LIMIT_BYTES = 64 * 1024
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 120_000
const KEEP_ALIVE_MS = 72_000
const SERVICE_RETRY_AFTER_SECONDS = '2'

/** A route with its place in the contract. */
export interface Operation {
  operation: string
  method: string
  url: string
  scope?: Scope | undefined
  idempotent: boolean
  schema?: FastifySchema | undefined
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation's name in the contract (SPEC: Endpoints). */
    operation?: string
    /** Present on every route that needs an API key. */
    scope?: Scope
    /** True when the operation needs an Idempotency-Key. */
    idempotent?: boolean
    /** True for what has bounds of its own: signed URLs, relay reports. */
    outsideIpGuard?: boolean
  }
  interface FastifyInstance {
    /** What the routes that were added so far offer. */
    operations: Operation[]
  }
  interface FastifyRequest {
    /** Set on every route that has a scope. */
    principal: Principal
    /** Set on every idempotent route. */
    idempotencyKey: string
    /** The message a request is about, for the log. */
    messageId: string | null
  }
}

export interface ServerDeps {
  log: Logger
  /** Who an API key stands for; undefined when it is no good. */
  verifyKey(key: string): Promise<Principal | undefined>
  /** Absent: nothing is limited. */
  gate?: Gate | undefined
  /** Networks whose X-Forwarded-For is believed. */
  trustedProxies?: readonly Network[]
  /** Told of every answer. `route` is the pattern, or 'unknown'. */
  onAnswer(answer: { method: string; route: string; status: number; seconds: number }): void
}

/** Builds a server without routes. Routes added to it afterwards are covered by everything here. */
export function buildServer(deps: ServerDeps): Server {
  const app = fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: newId,
    requestIdHeader: false,
    trustProxy: (address: string) => isWithin(address, deps.trustedProxies ?? []),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 512 },
    http: { headersTimeout: HEADERS_TIMEOUT_MS, maxHeaderSize: 16 * 1024 },
    clientErrorHandler,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  }) as unknown as Server

  app.setValidatorCompiler(createValidatorCompiler())
  app.decorateRequest('principal', null as unknown as Principal)
  app.decorateRequest('idempotencyKey', '')
  app.decorateRequest('messageId', null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseJson)

  const operations: Operation[] = []
  app.decorate('operations', operations)
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    const methods = methodsOf.get(route.url) ?? new Set()
    for (const method of [route.method].flat()) methods.add(method)
    methodsOf.set(route.url, methods)
    const { operation, scope, idempotent = false } = route.config ?? {}
    const method = [route.method].flat()[0] as string
    if (operation && method !== 'HEAD') {
      operations.push({ operation, method, url: route.url, scope, idempotent, schema: route.schema })
    }
  })

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(commonHeaders(request))
    await deps.gate?.admitAddress(request, reply)
    const { scope, idempotent } = request.routeOptions.config
    if (!scope) return
    request.principal = await authenticate(request, deps.verifyKey)
    await deps.gate?.admitPrincipal(request, reply)
    if (!request.principal.scopes.has(scope)) {
      throw problem('insufficient_scope', { details: { required: [scope] } })
    }
    if (idempotent) request.idempotencyKey = readIdempotencyKey(request)
    // Every parameter in a path is an id: a malformed one names nothing.
    for (const id of Object.values(request.params as Record<string, string>)) {
      if (!isUuid(id)) throw problem('not_found')
    }
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
        tenantId: request.principal?.tenantId,
        appId: request.principal?.appId,
        messageId: request.messageId ?? undefined,
      },
      'request',
    )
  })

  app.setErrorHandler<FastifyError>(sendError)
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(methodsOf, request.url)
    if (allowed.length === 0) throw problem('not_found')
    reply.header('allow', allowed.join(', '))
    throw problem('method_not_allowed')
  })
  return app
}

function commonHeaders(request: FastifyRequest): Record<string, string> {
  return { 'x-request-id': request.id, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
}

async function authenticate(request: FastifyRequest, verifyKey: ServerDeps['verifyKey']): Promise<Principal> {
  const header = request.headers.authorization
  const key = header && /^bearer +([^\s]+)$/i.exec(header)?.[1]
  const principal = key ? await verifyKey(key) : undefined
  if (!principal) throw problem('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } })
  return principal
}

/** SPEC: Limits, Idempotency key. */
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{8,255}$/

function readIdempotencyKey(request: FastifyRequest): string {
  const key = request.headers['idempotency-key']
  if (key === undefined || key === '') throw problem('missing_idempotency_key')
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw problem('invalid_idempotency_key')
  return key
}

function parseJson(request: FastifyRequest, body: Buffer, done: (error: Error | null, body?: unknown) => void): void {
  try {
    // Some clients name a type for the body that they do not send.
    const isAbsent = body.length === 0 && !request.routeOptions.schema?.body
    if (isAbsent) return void done(null)
    if (body.length === 0) throw new SyntaxError('empty')
    if (!isUtf8(body)) throw new SyntaxError('not UTF-8')
    done(null, secureJson.parse(body.toString('utf8'), { protoAction: 'error', constructorAction: 'error' }))
  } catch {
    done(problem('invalid_json'))
  }
}

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = toProblem(error)
  if (answer.status >= 500) request.log.error({ err: error }, 'request failed')
  return (
    reply
      .code(answer.status)
      // Again, because what the framework refuses by itself has not passed the hook.
      .headers({ ...commonHeaders(request), ...answer.headers })
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send(envelope(answer.code, answer.message, request.id, answer.details))
  )
}

/** What a client is told of whatever was thrown. */
function toProblem(error: FastifyError): Problem {
  if (error instanceof Problem) return error
  if (error.validation) return validationProblem(error.validation as Parameters<typeof validationProblem>[0])
  const code = FRAMEWORK_CODES[error.code]
  if (code) return problem(code)
  if (isUnavailable(error) || error instanceof StoreUnavailable) {
    return problem('service_unavailable', { headers: { 'retry-after': SERVICE_RETRY_AFTER_SECONDS } })
  }
  return problem('internal_error')
}

const FRAMEWORK_CODES: Record<string, ProblemCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
}

/** The methods of the routes that this URL's path matches. */
function methodsAt(methodsOf: ReadonlyMap<string, ReadonlySet<string>>, url: string): string[] {
  const path = url.split('?')[0]?.split('/') ?? []
  const methods = new Set<string>()
  for (const [pattern, known] of methodsOf) {
    const parts = pattern.split('/')
    if (parts.length === path.length && parts.every((part, i) => part.startsWith(':') || part === path[i])) {
      for (const method of known) methods.add(method)
    }
  }
  return [...methods].sort()
}

/** Answers what never became a request: broken HTTP, oversized headers, a client that is too slow. */
function clientErrorHandler(error: Error & { code?: string }, socket: IncomingMessage['socket']): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const code: ProblemCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'invalid_json'
  const answer = problem(code, code === 'invalid_json' ? { message: 'The request is not valid HTTP.' } : {})
  const id = newId()
  const body = JSON.stringify(envelope(answer.code, answer.message, id))
  socket.end(
    `HTTP/1.1 ${answer.status} Error\r\nconnection: close\r\nx-request-id: ${id}\r\n` +
      `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
