// A first request with a new key, ready to be pasted into a shell: what the key may do, of what says most. Pure.
import type { Scope } from '../../../src/access/permissions.ts'

interface NewKey {
  /** Under which the API's paths lie. */
  apiUrl: string
  key: string
  scopes: readonly Scope[]
  mailbox: { id: string } | null
  /** Whom the mail is sent to. */
  to: string
}

export interface FirstRequest {
  /** What it does, in words. */
  does: string
  command: string
}

/** Undefined when the key may do nothing but with what there is already. */
export function firstRequest({ apiUrl, key, scopes, mailbox, to }: NewKey): FirstRequest | undefined {
  const curl = (path: string, ...more: string[]) =>
    [`curl ${quoted(`${apiUrl}${path}`)}`, `-H ${quoted(`Authorization: Bearer ${key}`)}`, ...more].join(' \\\n  ')
  const post = (path: string, body: object) =>
    curl(
      path,
      `-H ${quoted(`Idempotency-Key: first-request-${key.slice(0, PREFIX_CHARACTERS)}`)}`,
      `-H ${quoted('Content-Type: application/json')}`,
      `-d ${quoted(JSON.stringify(body))}`,
    )
  const may = (scope: Scope) => scopes.includes(scope)

  if (may('messages:send') && mailbox) {
    const mail = { fromMailboxId: mailbox.id, to: [to], subject: 'Hello', text: 'It works.' }
    return { does: `This sends a mail to ${to}:`, command: post('/v1/messages', mail) }
  }
  if (may('messages:read')) {
    return { does: 'This lists the newest messages:', command: curl('/v1/messages?limit=5') }
  }
  if (may('mailboxes:read')) {
    return { does: 'This lists your mailboxes:', command: curl('/v1/mailboxes') }
  }
  if (may('webhooks:read')) {
    return { does: 'This lists the webhook endpoints:', command: curl('/v1/webhook-endpoints') }
  }
  if (may('attachments:write') && mailbox) {
    const file = { mailboxId: mailbox.id, filename: 'hello.txt', mediaType: 'text/plain', contentBase64: 'SGVsbG8=' }
    return { does: 'This uploads a small file:', command: post('/v1/attachments', file) }
  }
  return undefined
}

/** Of a key: what lists show of it. */
const PREFIX_CHARACTERS = 15

/** One word of a POSIX shell, whatever is in it. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
