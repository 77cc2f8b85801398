// What requests must obey that their validators leave to the code behind them, or say in a way that is ours alone: the
// document says it in the words of JSON Schema. Knows nothing of routes.
import { MAX_ATTACHMENT_BYTES } from '../../../attachments/schemas.ts'

type Json = Record<string, unknown>

/** RFC 4648 §4 without bits beyond the end. */
const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)$'

/** What stands for a format of ours. `text`: PostgreSQL and MIME hold no NUL. */
export const FORMATS: Record<string, Json> = {
  text: { pattern: '^[^\\x00]*$' },
  base64: { pattern: BASE64, contentEncoding: 'base64' },
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
