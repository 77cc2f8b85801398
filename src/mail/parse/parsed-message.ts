// The shape of a message that has been read, and the limits of reading. Types and constants only: it knows neither
// the library that reads nor where anything is stored.
import type { MailAddress } from '../mail-address.ts'
import type { MimePart } from '../mime-part.ts'

/** Of a complete message, as it comes or is submitted (ADR 29). specification.md#limits-of-a-message */
export const MAX_MESSAGE_BYTES = 26_214_400
/** Beyond this a body is cut. Measured in UTF-8. specification.md#fields-of-a-message */
export const MAX_BODY_BYTES = 1_048_576
/** specification.md#fields-of-a-message */
export const MAX_PREVIEW_CHARS = 200
/**
 * Of the message's own header. Ten thousand recipients fit; beyond, the library's decoding of it, which grows with
 * the square of a field, would take seconds.
 */
export const MAX_HEADER_BYTES = 524_288
/** Of the headers of all parts together, the message's own among them. */
export const MAX_PARTS_HEADER_BYTES = 1_048_576
/** What is read of the header when the message as a whole could not be. */
export const MAX_FALLBACK_HEADER_BYTES = 262_144
/** Multiparts within multiparts. */
export const MAX_NESTING_DEPTH = 100
/** Parts shown; those behind stay reachable in the raw message. */
export const MAX_PARTS = 1_000
/**
 * Files kept of a received message: each is an object of its own in the store. Those behind stay in the raw message and
 * in the tree of its parts, there without an attachment.
 */
export const MAX_ATTACHMENTS = 100
/** Addresses of one field; the field itself is shown whole among the headers. */
export const MAX_ADDRESSES = 1_000
/** UTF-16 units of one field's addresses and names together: they ride in every summary and event. */
export const MAX_ADDRESSES_CHARS = 65_536
/** RFC 5322 2.1.1: the longest line there may be; no subject, name, address or message id of ours is longer. */
export const MAX_LINE_CHARS = 998
/** The newest message ids of References. */
export const MAX_REFERENCES = 100
/** specification.md#limits-of-a-message */
export const MAX_FILENAME_CHARS = 255

export interface Header {
  name: string
  /** Unfolded, encoded words decoded. */
  value: string
}

export interface ParsedAttachment {
  partId: string
  /** Made from the part's place and type when the part has no name. */
  filename: string
  /** Type and subtype in lower case. */
  mediaType: string
  disposition: 'attachment' | 'inline'
  contentId: string | null
  sizeBytes: number
  /** Of the decoded content, 64 lower-case hex characters. */
  sha256: string
  content: Uint8Array<ArrayBuffer>
}

/**
 * Why a message could not be read whole: its structure is beyond our limits (too deep, too much header), it took
 * too long or too much memory, or it is larger than any message we take.
 */
export type ParseFault = 'refused' | 'timeout' | 'memory' | 'too_large'

/**
 * How much could be read. `partly`: more parts than we show. `headers-only`: neither text nor parts.
 * `raw-only`: nothing but the bytes.
 */
export type Readable = 'whole' | 'partly' | 'headers-only' | 'raw-only'

/** Everything here can be stored in PostgreSQL: no text holds NUL or half a surrogate pair. */
export interface ParsedMessage {
  readable: Readable
  fault: ParseFault | null
  headers: Header[]
  from: MailAddress | null
  replyTo: MailAddress[]
  to: MailAddress[]
  cc: MailAddress[]
  subject: string
  /** With angle brackets, as the header has it. */
  messageId: string | null
  inReplyTo: string | null
  references: string[]
  /** The Date header as an ISO 8601 instant; null when it is missing or not a date. */
  date: string | null
  text: string | null
  textTruncated: boolean
  html: string | null
  htmlTruncated: boolean
  preview: string
  mime: MimePart | null
  attachments: ParsedAttachment[]
}

/** A message of which nothing could be read. */
export function unreadableMessage(fault: ParseFault): ParsedMessage {
  return {
    readable: 'raw-only',
    fault,
    headers: [],
    from: null,
    replyTo: [],
    to: [],
    cc: [],
    subject: '',
    messageId: null,
    inReplyTo: null,
    references: [],
    date: null,
    text: null,
    textTruncated: false,
    html: null,
    htmlTruncated: false,
    preview: '',
    mime: null,
    attachments: [],
  }
}
