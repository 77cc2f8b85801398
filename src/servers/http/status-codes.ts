// What each problem of the catalogue is over HTTP: its status, and the body and headers of its answer.
import { Problem, type ProblemCode, type ProblemOptions } from '../../access/problem.ts'

const STATUS = {
  bad_request: 400,
  invalid_json: 400,
  validation_error: 400,
  invalid_cursor: 400,
  missing_idempotency_key: 400,
  invalid_idempotency_key: 400,
  webhook_url_invalid: 400,
  webhook_verification_failed: 400,
  invalid_api_key: 401,
  invalid_signature: 401,
  not_signed_in: 401,
  plan_capacity_exceeded: 402,
  insufficient_scope: 403,
  not_allowed: 403,
  sign_in_again: 403,
  second_factor_required: 403,
  cross_site_refused: 403,
  content_hidden: 403,
  mailbox_suspended: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  idempotency_conflict: 409,
  idempotency_pending: 409,
  not_on_its_way: 409,
  being_submitted: 409,
  endpoint_disabled: 409,
  replay_running: 409,
  draft_changed: 409,
  draft_due: 409,
  upload_expired: 410,
  payload_too_large: 413,
  attachment_too_large: 413,
  message_too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  upload_mismatch: 422,
  upload_missing: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  service_unavailable: 503,
} as const satisfies Record<ProblemCode, number>

/** The HTTP status a code is answered with. */
export function statusOf(code: ProblemCode): number {
  return STATUS[code]
}

/** A problem of HTTP itself, whose answer carries headers of its own. */
export class HttpProblem extends Problem {
  readonly headers: Record<string, string>

  constructor(code: ProblemCode, headers: Record<string, string>, options: ProblemOptions = {}) {
    super(code, options)
    this.headers = headers
  }
}

/** The headers that say more of a problem. */
export function headersOf(problem: Problem): Record<string, string> {
  const { retryAfterSeconds } = problem
  return {
    ...(problem instanceof HttpProblem ? problem.headers : {}),
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  }
}

/** The body of every error answer. */
export function errorBody(code: ProblemCode, message: string, requestId: string, details?: Record<string, unknown>) {
  return { code, message, error: code, requestId, ...(details ? { details } : {}) }
}
