// What requests must obey that their validators leave to the code behind them, or say in a way that is ours alone: the
// document says it in the words of JSON Schema. Knows nothing of routes.
import { MAX_ATTACHMENT_BYTES } from '../../../attachments/schemas.ts'
import { MEDIA_TYPE_PATTERN, SHA256_PATTERN } from '../../../lib/formats.ts'

type Json = Record<string, unknown>

/** RFC 4648 §4 without bits beyond the end. */
const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)$'

/** What an address may have in its local part, and in a label of its domain: all beyond ASCII, and this of it. */
const ATOM = '[^\\x00-\\x20\\x7f"(),.:;<>@\\[\\\\\\]]+'
const LETTER = '[^\\x00-\\x40\\x5b-\\x60\\x7b-\\x7f]'
const LETTER_OR_DIGIT = '[^\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f]'
const REST_OF_LABEL = `(?:[^\\x00-\\x2c\\x2e\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7f]{0,61}${LETTER_OR_DIGIT})?`
const LABEL = LETTER_OR_DIGIT + REST_OF_LABEL

/**
 * Of addresses in ASCII, exactly those that the service takes. Beyond it the format says the rest: that the local part has
 * 64 octets at most in UTF-8, without invisible characters, and that the domain has a form in ASCII (RFC 6531 3.3).
 */
const EMAIL: Json = {
  format: 'idn-email',
  maxLength: 254,
  pattern: `^${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LETTER}${REST_OF_LABEL}$`,
  // In one pattern it would take a lookahead, which not every engine has.
  not: { pattern: '^[^@]{65}' },
}

/** What stands for a format of ours. `text`: PostgreSQL and MIME hold no NUL. */
export const FORMATS: Record<string, Json> = {
  email: EMAIL,
  text: { pattern: '^[^\\x00]*$' },
  base64: { pattern: BASE64, contentEncoding: 'base64' },
  media_type: { pattern: MEDIA_TYPE_PATTERN },
  sha256: { pattern: SHA256_PATTERN },
}

/** For the schema of each name, to be merged into it. */
export const RULES: Record<string, Json> = {
  SendMessageInput: {
    anyOf: ['text', 'html'].map((name) => ({ required: [name], properties: { [name]: { type: 'string' } } })),
    properties: { attachmentIds: { uniqueItems: true } },
  },
  // Refused with a status of its own, as attachment_too_large.
  PrepareAttachmentInput: { properties: { sizeBytes: { maximum: MAX_ATTACHMENT_BYTES } } },
}

export const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description:
    'Makes the request safe to repeat: for 24 hours the same key with the same request gives the first answer again. ' +
    'Printable ASCII.',
  schema: { type: 'string', minLength: 8, maxLength: 255, pattern: '^[ -~]*$' },
  example: 'order-4711-confirmation',
}
