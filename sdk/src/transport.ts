// One call over HTTP: the key, the deadline, the attempts, and the answer or its error. Knows no operation.
import { ApiError, ConnectionError } from './errors.ts'
import { persistently } from './retry.ts'

export interface TransportOptions {
  /** Where the service answers, such as `https://mail.example.com`. */
  baseUrl: string
  /** `mdk_live_…` or `mdk_test_…`. For servers only. */
  apiKey: string
  /** How often a call is attempted in all. */
  attempts: number
  /** How long one attempt may take. */
  timeoutMs: number
  fetch: typeof fetch
}

export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  query?: object | undefined
  body?: unknown
  idempotencyKey?: string | undefined
  /** Whether the operation may be carried out twice without harm. */
  repeatable: boolean
  signal?: AbortSignal | undefined
}

export interface Response {
  headers: Headers
  /** Parsed, when it is JSON; otherwise the untouched stream. */
  body: unknown
}

export type Transport = (request: Request) => Promise<Response>

/** @throws ApiError for an answer that is no success, ConnectionError when none came, the signal's reason when aborted */
export function createTransport(options: TransportOptions): Transport {
  const base = options.baseUrl.replace(/\/+$/, '')
  const { attempts } = options
  return (request) => {
    const { repeatable, signal } = request
    return persistently(() => tryOnce(options, base, request), { attempts, repeatable, signal })
  }
}

async function tryOnce(options: TransportOptions, base: string, request: Request): Promise<Response> {
  request.signal?.throwIfAborted()
  const deadline = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(new Error(`no answer within ${options.timeoutMs} ms`)),
    options.timeoutMs,
  )
  let response: globalThis.Response
  let text: string | undefined
  try {
    response = await options.fetch(`${base}${request.path}${queryOf(request.query)}`, {
      method: request.method,
      headers: headersOf(options, request),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: 'error',
      signal: request.signal ? AbortSignal.any([request.signal, deadline.signal]) : deadline.signal,
    })
    // A stream is the caller's to read, in whatever time that takes.
    if (!response.ok || isJson(response)) text = await response.text()
  } catch (cause) {
    request.signal?.throwIfAborted()
    throw new ConnectionError(`${request.method} ${request.path}: no answer`, { cause })
  } finally {
    clearTimeout(timer)
  }
  const { status, headers, ok } = response
  if (!ok) throw new ApiError(status, parse(text ?? ''), sentWith(headers))
  return { headers, body: text === undefined ? response.body : JSON.parse(text) }
}

function isJson(response: globalThis.Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') ?? false
}

/** Undefined for what something in between said. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Retry-After in seconds (RFC 9110 §10.2.3); the service never sends a date. */
function sentWith(headers: Headers): { requestId?: string; retryAfterSeconds?: number } {
  const requestId = headers.get('x-request-id')
  const retryAfter = headers.get('retry-after')
  return {
    ...(requestId !== null && { requestId }),
    ...(retryAfter !== null && /^\d{1,6}$/.test(retryAfter) && { retryAfterSeconds: Number(retryAfter) }),
  }
}

function headersOf(options: TransportOptions, request: Request): Record<string, string> {
  return {
    authorization: `Bearer ${options.apiKey}`,
    accept: 'application/json, message/rfc822',
    ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
  }
}

function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}
