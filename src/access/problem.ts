// The catalogue of everything the API refuses: one code, one status, one sentence. Handlers throw nothing else.
// specification.md#codes.

/** One fault of a request: which field, a code for programs and a sentence for people. */
export interface FieldFault {
  path: string
  code: string
  message: string
}

const CATALOGUE = {
  bad_request: [400, 'The request is not valid HTTP, or gives a header twice that may come once.'],
  invalid_json: [400, 'The request body is not valid JSON.'],
  validation_error: [400, 'The request does not have the form this operation takes; details.fields says where.'],
  invalid_cursor: [400, 'The cursor is not one that this list gave out for these credentials.'],
  missing_idempotency_key: [400, 'This operation needs an Idempotency-Key header.'],
  invalid_idempotency_key: [400, 'The Idempotency-Key header must be 8 to 255 printable ASCII characters.'],
  webhook_url_invalid: [400, 'The webhook URL cannot be used.'],
  webhook_verification_failed: [400, 'The webhook endpoint did not answer the verification request as it must.'],
  invalid_api_key: [401, 'No valid API key was given. Send it as: Authorization: Bearer <API key>.'],
  invalid_signature: [401, 'The request is not signed as it must be.'],
  plan_capacity_exceeded: [402, "The plan's capacity is used up."],
  insufficient_scope: [403, 'The API key does not have the scope that this operation needs.'],
  mailbox_suspended: [403, 'The mailbox is suspended: it can be read and cannot send.'],
  not_found: [404, 'There is no such resource for these credentials.'],
  method_not_allowed: [405, 'This path does not take this method; the Allow header lists those it takes.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  idempotency_conflict: [409, 'This Idempotency-Key was used for a different request.'],
  idempotency_pending: [409, 'The first request with this Idempotency-Key is still running.'],
  endpoint_disabled: [409, 'The webhook endpoint is disabled. Enable it, then replay.'],
  upload_expired: [410, 'The upload has expired. Start again with a new Idempotency-Key.'],
  payload_too_large: [413, 'The request body is larger than this operation takes.'],
  attachment_too_large: [413, 'The attachment is larger than 25 MiB.'],
  message_too_large: [413, 'The complete message would be larger than 25 MiB.'],
  unsupported_media_type: [415, 'The request body must be sent as application/json, in UTF-8 and not compressed.'],
  upload_mismatch: [422, 'The uploaded bytes are not those that were announced.'],
  upload_missing: [422, 'Nothing has been uploaded yet.'],
  rate_limited: [429, 'Too many requests. Wait as long as the Retry-After header says.'],
  headers_too_large: [431, 'The request headers are larger than 16 KiB.'],
  internal_error: [500, 'Something went wrong on our side. Quote the requestId when you report it.'],
  service_unavailable: [503, 'The service cannot answer at the moment. Try again after the Retry-After header.'],
} as const satisfies Record<string, readonly [number, string]>

export type ProblemCode = keyof typeof CATALOGUE

export const PROBLEM_CODES = Object.keys(CATALOGUE) as ProblemCode[]

/** The HTTP status a code is answered with. */
export function statusOf(code: ProblemCode): number {
  return CATALOGUE[code][0]
}

/** What it says of itself. */
export function sentenceOf(code: ProblemCode): string {
  return CATALOGUE[code][1]
}

export interface ProblemOptions {
  /** `{fields}` for a validation error, a flat object otherwise. */
  details?: Record<string, unknown>
  /** A sentence more exact than the catalogue's. */
  message?: string
  headers?: Record<string, string>
}

/** What a handler throws to refuse. Anything else that is thrown is a fault of ours: 500. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly details: Record<string, unknown> | undefined
  readonly headers: Record<string, string>

  constructor(code: ProblemCode, options: ProblemOptions) {
    super(options.message ?? CATALOGUE[code][1])
    this.code = code
    this.status = CATALOGUE[code][0]
    this.details = options.details
    this.headers = options.headers ?? {}
  }
}

/** throw problem('upload_expired') */
export function problem(code: ProblemCode, options: ProblemOptions = {}): Problem {
  return new Problem(code, options)
}

/** A validation error with every field at fault. */
export function invalidFields(fields: FieldFault[]): Problem {
  return problem('validation_error', { details: { fields } })
}

/** 404 for an id in a body that is unknown or foreign; the details name the field. */
export function notFoundField(path: string): Problem {
  return problem('not_found', {
    message: `${path} names nothing that these credentials can use.`,
    details: { field: path },
  })
}

/** The body of every error answer. */
export function envelope(code: ProblemCode, message: string, requestId: string, details?: Record<string, unknown>) {
  return { code, message, error: code, requestId, ...(details ? { details } : {}) }
}
