// The structure of a message, of one that is read and of one that is written. A type only.

/** One node of the MIME structure, RFC 2045 and 2046. A message/rfc822 part is a leaf: it is an attachment. */
export interface MimePart {
  /** `1` for the message itself, `1.2` for its second part, `1.2.1` for the first part of that. */
  partId: string
  /** Type and subtype in lower case. */
  contentType: string
  parameters: Record<string, string>
  disposition: string | null
  filename: string | null
  /** Without angle brackets. */
  contentId: string | null
  /** The content transfer encoding; as announced, and `8bit` where it is not, for that is how such mail is read. */
  encoding: string
  /** Decoded. Of a multipart: of all its parts. */
  sizeBytes: number
  parts: MimePart[]
}
