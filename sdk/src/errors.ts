// What a call may fail with. Everything the client throws on purpose is one of these.

/** One field at fault in a `validation_error`. */
export interface FieldFault {
  path: string
  code: string
  message: string
}

/**
 * The service answered, and it was no success. `code` is stable and meant for programs; `message` is for people, and names
 * the fields at fault when there are any.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  /** The HTTP status. */
  readonly status: number
  /** Such as `validation_error`, `not_found`, `rate_limited`; `unknown` when something in between answered. */
  readonly code: string
  /** Name it when you ask the operator for help. */
  readonly requestId: string | undefined
  /** For `validation_error`: `{ fields: FieldFault[] }`; otherwise what the error's documentation says. */
  readonly details: Record<string, unknown> | undefined
  /** How long to wait before asking again, when the answer said so. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    body: unknown,
    sent: { requestId?: string; retryAfterSeconds?: number | undefined } = {},
  ) {
    const { code, message, details } = (typeof body === 'object' && body !== null ? body : {}) as {
      code?: string
      message?: string
      details?: Record<string, unknown>
    }
    super(messageOf(faultsIn(details)) ?? message ?? `The answer was HTTP ${status}`)
    this.status = status
    this.code = code ?? 'unknown'
    this.requestId = sent.requestId
    this.retryAfterSeconds = sent.retryAfterSeconds
    this.details = details
  }

  /** The fields at fault, when the request was not valid. */
  get fields(): FieldFault[] {
    return faultsIn(this.details)
  }
}

/** The message of an error is often all that is logged; the rest of the faults is in `fields`. */
const MOST_FAULTS_IN_MESSAGE = 5

/** Each field and what is wrong with it; undefined when no field is. */
function messageOf(faults: FieldFault[]): string | undefined {
  if (faults.length === 0) return undefined
  const named = faults.slice(0, MOST_FAULTS_IN_MESSAGE).map(({ path, message }) => `${path || 'body'}: ${message}`)
  const more = faults.length - named.length
  return more > 0 ? `${named.join('; ')}; and ${more} more` : named.join('; ')
}

function faultsIn(details: Record<string, unknown> | undefined): FieldFault[] {
  return Array.isArray(details?.fields) ? details.fields.filter(isFault) : []
}

/** An answer may also be of something in between, which has words of its own. */
function isFault(value: unknown): value is FieldFault {
  const { path, message } = (value ?? {}) as Partial<FieldFault>
  return typeof path === 'string' && typeof message === 'string'
}

/** No answer came: no connection, or none in time. `cause` says more. Whether the request was carried out is unknown. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}
