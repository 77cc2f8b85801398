// By which Message-IDs a received message is put into its conversation. Pure. specification.md#conversations
import { createHash } from 'node:crypto'
import { isUuid, type Uuid } from '../../lib/uuid.ts'

/** Of the References of a message: the first, which the conversation began with, and the newest. */
const NEWEST_REFERENCES = 18

/** How many there are at most: its own, the one that it answers, and of References the first and the newest. */
export const MOST_MENTIONED_IDS = 3 + NEWEST_REFERENCES

interface Mentioning {
  messageId: string | null
  inReplyTo: string | null
  /** Oldest first. */
  references: readonly string[]
}

/** The message's own and those it mentions that are looked at, each once, with their angle brackets. */
export function mentionedIds({ messageId, inReplyTo, references }: Mentioning): string[] {
  const ids = [messageId, inReplyTo, ...references.slice(0, 1), ...references.slice(-NEWEST_REFERENCES)]
  return [...new Set(ids.filter((id) => id !== null))]
}

/** What is kept of a Message-ID: the first 64 bits of its SHA-256, as PostgreSQL's `bigint` in digits. */
export function digestOfId(id: string): string {
  return createHash('sha256').update(id).digest().readBigInt64BE().toString()
}

/** The message of ours that a Message-ID may be of (message-id.ts), and the domain it names; undefined for any other. */
export function sentIdIn(id: string): { id: Uuid; domain: string } | undefined {
  const [, uuid = '', domain = ''] = /^<([^@<>]+)@([^@<>]+)>$/.exec(id) ?? []
  return isUuid(uuid) ? { id: uuid.toLowerCase(), domain } : undefined
}
