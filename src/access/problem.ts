// The catalogue of everything that is refused: one code, one sentence. Verbs throw nothing else. What a code is on the wire
// is each server's to say. specification.md#codes.

/** One fault of a request: which field, a code for programs and a sentence for people. */
export interface FieldFault {
  path: string
  code: FieldCode
  message: string
}

/** What may be wrong with a field, and a sentence for each. */
export const FIELD_CODES = {
  required: 'It must be given.',
  unknown_field: 'There is no such field here; where one is like it, the message names it.',
  wrong_type: 'It has another type of JSON.',
  not_allowed: 'It is none of the words that are allowed; the message has them.',
  duplicate: 'It is given twice and may be given once.',
  too_short: 'It has fewer characters than it must have.',
  too_long: 'It has more characters than it may have.',
  too_few: 'It has fewer items than it must have.',
  too_many: 'It has more items, or values within it, than it may have.',
  too_small: 'The number is below its minimum.',
  too_large: 'The number is above its maximum.',
  too_deep: 'It nests deeper than any operation takes.',
  invalid_email: 'It is no email address: `name@example.com`, without a display name.',
  invalid_uuid: 'It is no UUID.',
  invalid_text: 'It holds NUL or half a surrogate pair.',
  invalid_base64: 'It is not base64 with its padding.',
  invalid_media_type: 'It is no media type such as `application/pdf`.',
  invalid_sha256: 'It is no SHA-256 as 64 hexadecimal digits in lower case.',
  invalid: 'The message says what is wrong.',
} as const satisfies Record<string, string>

export type FieldCode = keyof typeof FIELD_CODES

const CATALOGUE = {
  bad_request: 'The request is not valid HTTP, or repeats a header that may appear only once.',
  invalid_json: 'The request body is not valid JSON.',
  validation_error: 'The request is not valid for this operation; details.fields says where.',
  invalid_cursor: 'The cursor was not issued by this list for these credentials.',
  missing_idempotency_key: 'This operation needs an Idempotency-Key header.',
  invalid_idempotency_key: 'The Idempotency-Key header must be 8 to 255 printable ASCII characters.',
  webhook_url_invalid: 'The webhook URL cannot be used.',
  webhook_verification_failed: 'The webhook endpoint did not answer the verification request correctly.',
  invalid_api_key: 'No valid API key was given. Send it as: Authorization: Bearer <API key>.',
  invalid_signature: 'The request is not signed correctly.',
  plan_capacity_exceeded: "The plan's capacity is used up.",
  insufficient_scope: 'The API key does not have the scope that this operation needs.',
  not_allowed: 'Your role does not allow this.',
  not_signed_in: 'You are not signed in, or no longer.',
  sign_in_again: 'You signed in more than ten minutes ago. Sign in again to do this.',
  second_factor_required: 'Your organization requires a second factor. Add one to go on.',
  cross_site_refused: 'The request comes from another site.',
  content_hidden: 'Your organization does not let people see what messages say.',
  mailbox_suspended: 'The mailbox is suspended: it can be read but cannot send.',
  not_found: 'There is no such resource for these credentials.',
  method_not_allowed: 'This path does not support this method; the Allow header lists those it supports.',
  request_timeout: 'The request did not arrive in time.',
  idempotency_conflict: 'This Idempotency-Key was used for a different request.',
  idempotency_pending: 'The first request with this Idempotency-Key is still running.',
  not_on_its_way: 'Nothing of the message is on its way: it was received, has reached the relay, or has failed.',
  being_submitted: 'The message is being submitted right now. Try again in a moment.',
  endpoint_disabled: 'The webhook endpoint is disabled. Enable it, then replay.',
  replay_running: 'A replay of the same deliveries is still running; details.replayId names it.',
  draft_changed: 'The draft has been saved elsewhere since; details says when and by whom.',
  draft_due: 'The draft is about to be sent. Take it back first.',
  upload_expired: 'The upload has expired. Start again with a new Idempotency-Key.',
  payload_too_large: 'The request body is larger than this operation allows.',
  attachment_too_large: 'The attachment is larger than 25 MiB.',
  message_too_large: 'The complete message would be larger than 25 MiB.',
  unsupported_media_type: 'The request body must be sent as application/json, in UTF-8 and not compressed.',
  range_not_satisfiable: 'Nothing of the range that the Range header asks for lies within the file.',
  upload_mismatch: 'The uploaded bytes do not match what was announced.',
  upload_missing: 'Nothing has been uploaded yet.',
  rate_limited: 'Too many requests. Wait for the seconds in the Retry-After header.',
  headers_too_large: 'The request headers are larger than 16 KiB.',
  internal_error: 'Something went wrong on our side. Quote the requestId when you report it.',
  service_unavailable:
    'The service is unavailable at the moment. Try again after the seconds in the Retry-After header.',
} as const satisfies Record<string, string>

export type ProblemCode = keyof typeof CATALOGUE

export const PROBLEM_CODES = Object.keys(CATALOGUE) as ProblemCode[]

export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(CATALOGUE, text)
}

/** What it says of itself. */
export function sentenceOf(code: ProblemCode): string {
  return CATALOGUE[code]
}

export interface ProblemOptions {
  /** `{fields}` for a validation error, a flat object otherwise. */
  details?: Record<string, unknown>
  /** A sentence more exact than the catalogue's. */
  message?: string
  /** When it may be tried again. */
  retryAfterSeconds?: number
}

/** What a verb throws to refuse. Anything else that is thrown is a fault of ours. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, options: ProblemOptions) {
    super(options.message ?? CATALOGUE[code])
    this.code = code
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
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

/** A validation error with one field at fault, in words of its own. */
export function invalidField(path: string, message: string): Problem {
  return invalidFields([{ path, code: 'invalid', message }])
}

/** What there is only so much room for. */
export interface FullResource {
  resource:
    | 'messages'
    | 'storage'
    | 'webhook_endpoints'
    | 'applications'
    | 'keys'
    | 'suppressions'
    | 'domains'
    | 'drafts'
  limit: number
  used: number
  /** When there is room again; null: when something has been removed. */
  resetsAt: string | null
}

/** There is no room for more, in the catalogue's words unless `message` says it more exactly. */
export function overCapacity({ resource, limit, used, resetsAt }: FullResource, message?: string): Problem {
  const details = { resource, limit, used, resetsAt }
  return problem('plan_capacity_exceeded', message === undefined ? { details } : { details, message })
}

/** There is no `what` of the id that was given, or not for this caller: `absent('mailbox')`. */
export function absent(what: string): Problem {
  return problem('not_found', { message: `There is no such ${what}.` })
}

/** For an id in a body that is unknown or foreign; the details name the field. */
export function notFoundField(path: string): Problem {
  return problem('not_found', {
    message: `${path} names nothing that these credentials can use.`,
    details: { field: path },
  })
}
