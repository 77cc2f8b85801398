// What became of a message for a recipient, in plain words. Pure.
import type { OpenMessage } from '../../../src/servers/webmail/content-schemas.ts'
import { meaningOf, saidBy } from '../reply-words.ts'

type Recipient = OpenMessage['recipients'][number]

/** As `Bounced: mailbox does not exist`. */
export function wordsOfRecipient({ address, status, reply, nextAttemptAt, complainedAt }: Recipient): string {
  // A relay that took it says so too: there is nothing to explain.
  const why = meaningOf(reply) ?? (status === 'bounced' || status === 'failed' ? saidBy(reply) : undefined)
  const because = why === undefined ? '' : `: ${withSmallInitial(why)}`
  if (complainedAt !== null) return `Reported as spam by ${address}`
  switch (status) {
    case 'queued':
      return nextAttemptAt === null ? 'On its way' : `Not taken yet${because}. It is tried again`
    case 'sent':
      return `On its way to ${address}`
    case 'delivered':
      return `Delivered to ${address}`
    case 'bounced':
      return `Bounced${because}`
    case 'failed':
      return `Not sent${because}`
  }
}

/** But for what is written in capitals. */
function withSmallInitial(words: string): string {
  return /^\p{Lu}\p{Ll}/u.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words
}
