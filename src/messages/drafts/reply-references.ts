// What the header of an answer says of the message that it answers. Pure. RFC 5322 §3.6.4

/** Of the References: the first, which the conversation began with, and the newest. specification.md#drafts */
const MOST_REFERENCES = 20

/** What can stand in a line of its own. */
const WRITABLE = /^<[\x21-\x3b=\x3f-\x7e]{1,900}>$/

export interface Thread {
  inReplyTo: string | null
  /** Oldest first. */
  references: string[]
}

interface Answered {
  /** With its angle brackets. */
  messageId: string | null
  inReplyTo: string | null
  references: readonly string[]
}

/** Ids that no header could carry are left out. */
export function threadOf({ messageId, inReplyTo, references }: Answered): Thread {
  const before = references.length > 0 ? references : [inReplyTo]
  const known = [...before, messageId].filter((id) => id !== null && WRITABLE.test(id)) as string[]
  // What is named again is where it was named last.
  const ids = known.filter((id, i) => known.lastIndexOf(id) === i)
  const kept = ids.length > MOST_REFERENCES ? [...ids.slice(0, 1), ...ids.slice(1 - MOST_REFERENCES)] : ids
  return { inReplyTo: messageId !== null && WRITABLE.test(messageId) ? messageId : null, references: kept }
}
