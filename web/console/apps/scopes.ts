// What each scope lets a key do, as whoever makes one is told.
import type { Scope } from '../../../src/access/permissions.ts'

const WORDS: Readonly<Record<Scope, string>> = {
  'messages:send': 'Send mail from your mailboxes.',
  'messages:read': 'Read messages and the log of events.',
  'messages:write': 'Change flags of messages, and file them.',
  'attachments:write': 'Upload files to send.',
  'attachments:read': 'Download files of messages.',
  'mailboxes:read': 'List mailboxes and domains.',
  'webhooks:read': 'List webhook endpoints and deliveries.',
  'webhooks:write': 'Create, change and delete webhook endpoints, and replay deliveries.',
}

/** Each with its words, the usual ones first. */
export const SCOPES = Object.entries(WORDS) as [Scope, string][]

const named = SCOPES.map(([scope]) => scope)

/** What is usually wanted together. */
export const PRESETS: readonly (readonly [words: string, scopes: readonly Scope[]])[] = [
  ['Send only', ['messages:send', 'attachments:write']],
  ['Read only', named.filter((scope) => scope.endsWith(':read'))],
  ['Everything', named],
]
