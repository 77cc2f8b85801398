// Whether a mail system wrote a mail, by its sender or its subject. Pure. Whoever answers or forwards a bounce keeps its
// subject behind a prefix, so the subject counts only from its beginning.
import type { ParsedMessage } from '../parse/parsed-message.ts'

/** Mail systems' own names, with an address or without. */
const ADDRESS = /^(?:mailer-daemon|postmaster|mail-daemon|mdaemon)(?:@|$)/i
const NAME = /^(?:(?:internet )?mail (?:delivery|system|administrator)|delivery subsystem|jetmail system)\b/i

const SUBJECT =
  /^(?!(?:re|fwd?|aw|wg|tr|rv|sv)\s*:)(?:\[postmaster\] |warning: (?:message|.{3,320} - user unknown)|.{0,20}\b(?:undeliver|non-?deliver|unzustellbar|non remis|not (?:be )?delivered|failure notice|failed mail|returned mail|failure delivery)|(?:e-?mail |mail |message |permanent )?delivery (?:status notification|failure|(?:has )?failed|problem|error|warning)|mail (?:failed|failure|error|system error)|your message to .{3,320} could not be delivered)|: non remis\s+\(delivery failed\)$/i

/** By what the mail says of itself: anyone may say so. */
export function isFromMailSystem({ from, subject }: Pick<ParsedMessage, 'from' | 'subject'>): boolean {
  const name = from?.name ?? ''
  return ADDRESS.test(from?.address || name) || NAME.test(name) || SUBJECT.test(subject)
}
