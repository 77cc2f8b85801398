// Asks our own server for data. Whoever is not signed in any more is led to sign in, and comes back.
import { proveAgain } from './step-up.ts'

/** What the server refused, in its own words. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  /** As the code has them. */
  readonly details: object
  /** By field, of a body that is no good. */
  readonly faults: Readonly<Record<string, string>>
  /** It is of no use to ask again before; undefined: the server does not say (RFC 9110, 10.2.3). */
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    envelope: { code?: string; message?: string; details?: unknown },
    retryAfterSeconds?: number,
  ) {
    super(envelope.message ?? 'Something went wrong on our side. Try again in a moment.')
    this.status = status
    this.code = envelope.code ?? 'internal_error'
    this.details = (envelope.details as object | undefined) ?? {}
    this.faults = faultsOf(this.details)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, { signal: signal ?? null })
}

/**
 * Has something done. When the server wants to be shown again who asks, that is asked for and the request made once more.
 * @throws Refusal; also when the proof is not given
 */
export async function send<T = void>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<T> {
  const request = (): Promise<T> =>
    ask<T>(path, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'sign_in_again' || !(await proveAgain())) throw error
    return request()
  }
}

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  return (await bodyOf(await open(path, init))) as T
}

/** What the server answers, not yet read. @throws Refusal */
export async function open(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error
    throw new Refusal(0, { code: 'unreachable', message: 'The service cannot be reached. Check your connection.' })
  })
  if (response.ok) return response
  const envelope = await envelopeOf(response)
  if (response.status === 401) signIn()
  throw new Refusal(response.status, envelope ?? {}, secondsOf(response.headers.get('retry-after')))
}

/** What stands before the server may answer for it, in words that are not ours. */
const envelopeOf = (response: Response): Promise<object | undefined> => bodyOf(response).catch(() => undefined)

const secondsOf = (header: string | null): number | undefined =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined

async function bodyOf(response: Response): Promise<object | undefined> {
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** Leaves for the page where one signs in, and back to where one is. */
export function signIn(): void {
  location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`)
}

/** What is said of each field, by its name: the first of what is wrong with it. */
function faultsOf(details: object): Record<string, string> {
  const { fields = [] } = details as { fields?: { path: string; message: string }[] }
  const faults: Record<string, string> = {}
  for (const { path, message } of fields) faults[path] ??= message
  return faults
}
