// What a call may fail with. Everything the client throws on purpose is one of these.

/** One field at fault in a `validation_error`. */
export interface FieldFault {
  path: string
  code: string
  message: string
}

/** The service answered, and it was no success. `code` is stable and meant for programs; `message` is for people. */
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
    super(message ?? `The answer was HTTP ${status}`)
    this.status = status
    this.code = code ?? 'unknown'
    this.requestId = sent.requestId
    this.retryAfterSeconds = sent.retryAfterSeconds
    this.details = details
  }

  /** The fields at fault, when the request was not valid. */
  get fields(): FieldFault[] {
    return Array.isArray(this.details?.fields) ? (this.details.fields as FieldFault[]) : []
  }
}

/** No answer came: no connection, or none in time. `cause` says more. Whether the request was carried out is unknown. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}
