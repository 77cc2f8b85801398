// One call over HTTP: the key, the deadline, the attempts, and the answer or its error. Knows no operation.
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, ConnectionError } from './errors.ts'
import { type Attempt, retryWaitMs } from './retry.ts'

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
  return async (request) => {
    for (let made = 1; ; made++) {
      const { attempt, result } = await tryOnce(options, base, request)
      const wait = attempt && retryWaitMs(attempt, made, request.repeatable, Math.random())
      if (wait === undefined || made >= options.attempts) return result()
      await delay(wait, undefined, request.signal ? { signal: request.signal } : {})
    }
  }
}

interface Tried {
  /** Absent when it succeeded. */
  attempt?: Attempt
  /** Gives the answer, or throws what the call is to fail with. */
  result(): Response
}

async function tryOnce(options: TransportOptions, base: string, request: Request): Promise<Tried> {
  request.signal?.throwIfAborted()
  const deadline = AbortSignal.timeout(options.timeoutMs)
  try {
    const response = await options.fetch(`${base}${request.path}${queryOf(request.query)}`, {
      method: request.method,
      headers: headersOf(options, request),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: 'error',
      signal: request.signal ? AbortSignal.any([request.signal, deadline]) : deadline,
    })
    return await read(response)
  } catch (cause) {
    request.signal?.throwIfAborted()
    const result = () => {
      throw new ConnectionError(`${request.method} ${request.path}: no answer`, { cause })
    }
    return { attempt: { kind: 'no_answer' }, result }
  }
}

async function read(response: globalThis.Response): Promise<Tried> {
  const { status, headers } = response
  const json = headers.get('content-type')?.startsWith('application/json') ?? false
  if (response.ok) {
    const body = json ? await response.json() : response.body
    return { result: () => ({ headers, body }) }
  }
  const text = await response.text()
  const error = new ApiError(status, json ? JSON.parse(text) : undefined, headers.get('x-request-id') ?? undefined)
  const result = () => {
    throw error
  }
  return { attempt: { kind: 'answer', status, code: error.code, retryAfter: headers.get('retry-after') }, result }
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
