// What is in an open message, with what is known of who sent it, and what became of one that was sent.

import { useState } from 'preact/hooks'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Attachments } from './attachments.tsx'
import { Details } from './details.tsx'
import { HtmlBody } from './html-body.tsx'
import { MessageFoot } from './message-foot.tsx'
import { Outcomes } from './outcomes.tsx'
import type { Message } from './shapes.ts'
import { TextBody } from './text-body.tsx'

const TONES: Record<NonNullable<Message['badge']>['kind'], Tone> = {
  verified: 'good',
  unverified: 'warn',
  failed: 'bad',
  none: 'neutral',
}

export function MessageContent({ message }: { message: Message }) {
  const { text, html, isCut, badge, attachments } = message
  const [asText, setAsText] = useState(false)
  const isSuspect = badge?.kind === 'failed' || message.entries.some(({ folder }) => folder === 'spam')
  const showsHtml = html !== null && !(asText && text !== null)
  return (
    <div class="stack">
      {isSuspect ? <Warning message={message} /> : badge && <Badge tone={TONES[badge.kind]}>{badge.words}</Badge>}
      <Outcomes message={message} />
      <Details message={message} />
      {isCut && <p class="alert">Only the beginning is shown: download the message to see the whole.</p>}
      {showsHtml && <HtmlBody message={message} html={html} isSuspect={isSuspect} />}
      {!showsHtml && text !== null && <TextBody text={text} isSuspect={isSuspect} />}
      {html === null && text === null && <p class="soft">There is no text in this message.</p>}
      {attachments.length > 0 && <Attachments message={message} isSuspect={isSuspect} />}
      <MessageFoot
        messageId={message.id}
        isText={!showsHtml}
        onText={html !== null && text !== null ? () => setAsText(!asText) : undefined}
      />
    </div>
  )
}

/** Mail that pretends to be somebody's looks like it. */
function Warning({ message: { badge } }: { message: Message }) {
  return (
    <div class="alert bad" role="note" aria-label="Warning">
      {badge?.kind === 'failed' ? (
        <strong>{badge.words}</strong>
      ) : (
        <>
          <strong>This looks like spam.</strong> Follow no link in it, open no file of it, and answer nothing.
        </>
      )}
    </div>
  )
}
