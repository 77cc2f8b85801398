// What became of a message that was sent, for each of its recipients.
import { Badge, type Tone } from '../../ui/badge.tsx'
import { wordsOfRecipient } from '../../ui/mail/recipient-words.ts'
import { plainWords } from '../../ui/plain-words.ts'
import { saidBy } from '../../ui/reply-words.ts'
import type { Message } from './shapes.ts'

const TONES: Readonly<Record<string, Tone>> = { delivered: 'good', bounced: 'bad', failed: 'bad', sent: 'accent' }

/** Of a long list the first. */
const MOST_SHOWN = 5

export function Outcomes({ message: { direction, recipients } }: { message: Message }) {
  if (direction === 'inbound' || recipients.length === 0) return null
  const list = (shown: Message['recipients']) =>
    shown.map((recipient) => {
      const { address, kind, status } = recipient
      const words = wordsOfRecipient(recipient)
      const said = status === 'bounced' || status === 'failed' ? saidBy(recipient.reply) : undefined
      return (
        <li key={`${kind} ${address}`} class="beside">
          <Badge tone={TONES[status] ?? 'neutral'}>
            <bdi>{words}</bdi>
          </Badge>
          {!words.includes(address) && <bdi>{address}</bdi>}
          {said !== undefined && !words.includes(said) && (
            <small>
              Their server said: <bdi>{plainWords(said)}</bdi>
            </small>
          )}
        </li>
      )
    })
  return (
    <section aria-label="What became of it" class="stack tight outcomes">
      <ul class="plain">{list(recipients.slice(0, MOST_SHOWN))}</ul>
      {recipients.length > MOST_SHOWN && (
        <details>
          <summary>{recipients.length - MOST_SHOWN} more recipients</summary>
          <ul class="plain">{list(recipients.slice(MOST_SHOWN))}</ul>
        </details>
      )}
    </section>
  )
}
