// One message of a conversation: folded to a line, or open.
import { useEffect, useRef } from 'preact/hooks'
import { plainWords } from '../../ui/plain-words.ts'
import { changed, useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { AnswerActions } from './answer-actions.tsx'
import { MessageContent } from './message-content.tsx'
import { contentPath } from './message-data.ts'
import { Names, nameOf, senderOf } from './people.tsx'
import type { Head, Message } from './shapes.ts'
import { isUnread } from './which-open.ts'

interface Props {
  head: Head
  isOpen: boolean
  /** By buttons of its own. */
  mayAnswer: boolean
  /** Undefined: it stays as it is. */
  onToggle: (() => void) | undefined
}

export function ShownMessage({ head, isOpen, mayAnswer, onToggle }: Props) {
  const { id, from, to, cc, at, preview } = head
  const sender = senderOf(from)
  const line = (
    <>
      <bdi class="who">{nameOf(sender)}</bdi>
      {isOpen ? (
        <bdi class="address soft">{sender.name ? sender.address : ''}</bdi>
      ) : (
        <span class="what soft">{plainWords(preview)}</span>
      )}
      {!isOpen && head.hasAttachments && <span class="soft">Files</span>}
    </>
  )
  const classes = ['message', 'card', isOpen ? 'open' : 'folded', isUnread(head) ? 'unread' : '']
  return (
    <section class={classes.filter(Boolean).join(' ')} aria-labelledby={`of-${id}`}>
      <header>
        <h2 id={`of-${id}`}>
          {onToggle ? (
            <button type="button" class="fold" aria-expanded={isOpen} onClick={onToggle}>
              {line}
            </button>
          ) : (
            <span class="fold">{line}</span>
          )}
        </h2>
        <Time at={at} />
      </header>
      {isOpen && (
        <>
          <p class="soft">
            to <Names people={[...to, ...cc]} count={head.recipients} />
          </p>
          <OpenContent messageId={id} status={head.status} />
          {mayAnswer && (
            <div class="actions">
              <AnswerActions messageId={id} of={nameOf(sender)} />
            </div>
          )}
        </>
      )}
    </section>
  )
}

function OpenContent({ messageId, status }: { messageId: string; status: Head['status'] }) {
  const content = useQuery<Message>(contentPath(messageId))
  // What became of it is told there, recipient by recipient.
  const known = useRef(status)
  useEffect(() => {
    if (known.current !== status) void changed(contentPath(messageId))
    known.current = status
  }, [status])
  return <Loaded query={content}>{(message) => <MessageContent message={message} />}</Loaded>
}
