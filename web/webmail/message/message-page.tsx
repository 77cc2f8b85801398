// An open message, with the conversation that it belongs to, and what may be done with it. Where it shows, and which list it was
// opened from, is whoever's shows it.
import { useEffect, useState } from 'preact/hooks'
import type { FolderName } from '../../../src/servers/webmail/schemas.ts'
import { plainWords } from '../../ui/plain-words.ts'
import { useQuery } from '../../ui/query.ts'
import { Refusal } from '../../ui/request.ts'
import { EmptyState, Loaded } from '../../ui/states.tsx'
import { mayWrite as mayWriteIn, shownOf, tabTitle, useMailboxes } from '../mailbox.ts'
import { AnswerActions } from './answer-actions.tsx'
import { ConversationActions } from './conversation-actions.tsx'
import { markRead } from './mark-read.ts'
import { contentPath, conversationPath } from './message-data.ts'
import type { Conversation, Message } from './shapes.ts'
import { ShownMessage } from './shown-message.tsx'
import { opensWith } from './which-open.ts'

export interface OpenedMessage {
  messageId: string
  /** Of the list that it was opened from; undefined: it was found, or a link led to it. */
  folder?: FolderName | undefined
  /** Of that list; undefined: all of the user's. */
  mailbox?: string | undefined
  /** It does not lie there any more, as it was filed or deleted here: what shows next is the list's to say. */
  onLeft(): void
}

export const NO_SUBJECT = '(no subject)'

/** What may be done stays in sight whatever strangers call their mail: of more characters the beginning shows, and all on hover. */
const LONG_SUBJECT = 150

export function MessagePage(opened: OpenedMessage) {
  const { messageId, mailbox } = opened
  const conversation = useQuery<Conversation>(conversationPath(messageId, mailbox))
  // The one that is named is open in any case: what is in it comes meanwhile.
  useQuery<Message>(contentPath(messageId))
  // What was taken away is not shown any more, whatever there was of it.
  const { fault } = conversation
  // A URL that was typed may name what could be no id (400).
  if (fault instanceof Refusal && (fault.status === 404 || fault.status === 400)) return <Gone mailbox={mailbox} />
  return (
    <Loaded query={conversation}>
      {(shown) => <OpenConversation key={messageId} {...opened} conversation={shown} />}
    </Loaded>
  )
}

function Gone({ mailbox }: Pick<OpenedMessage, 'mailbox'>) {
  useTitle('Not here', mailbox)
  return (
    <div class="conversation">
      <h1 class="unseen">Message</h1>
      <EmptyState title="This message is not here">
        It was deleted, or you no longer have access to the mailbox that it lies in.
      </EmptyState>
    </div>
  )
}

function OpenConversation({ conversation, ...opened }: OpenedMessage & { conversation: Conversation }) {
  const { messages, isCut } = conversation
  const subject = plainWords(conversation.subject).trim() || NO_SUBJECT
  const mailboxes = useMailboxes().data?.items ?? []
  const mayWrite = (id: string) => mayWriteIn(mailboxes, id)
  const mayAnswer = (id: string) =>
    messages.some((head) => head.id === id && head.entries.some(({ mailboxId }) => mayWrite(mailboxId)))
  const [open, setOpen] = useState(() => opensWith(messages, opened.messageId))
  useTitle(subject, opened.mailbox)

  // What is opened is read, once: what is marked as unread again stays so.
  const [marked] = useState(() => new Set<string>())
  const isReady = mailboxes.length > 0
  useEffect(() => {
    if (!isReady) return
    const read = new Set(messages.flatMap(({ id }) => (open.has(id) && !marked.has(id) ? [id] : [])))
    for (const id of read) marked.add(id)
    void markRead(messages, read, mayWrite)
  }, [isReady, open])

  const toggle = (id: string) =>
    setOpen((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id]))

  return (
    <article class="conversation stack" aria-labelledby="subject">
      <header class="stack tight">
        <h1 id="subject" dir="auto" title={subject.length > LONG_SUBJECT ? subject : undefined}>
          {subject}
        </h1>
        {mayAnswer(opened.messageId) && (
          <div class="actions">
            <AnswerActions messageId={opened.messageId} />
          </div>
        )}
        <ConversationActions {...opened} messages={messages} mayWrite={mayWrite} />
      </header>
      {isCut && <p class="alert">Only the newest 100 messages of this conversation are shown.</p>}
      <ol class="plain stack tight" aria-label="Messages">
        {messages.map((head) => (
          <li key={head.id}>
            <ShownMessage
              head={head}
              isOpen={open.has(head.id)}
              mayAnswer={head.id !== opened.messageId && mayAnswer(head.id)}
              onToggle={messages.length > 1 ? () => toggle(head.id) : undefined}
            />
          </li>
        ))}
      </ol>
    </article>
  )
}

function useTitle(words: string, mailbox: string | undefined): void {
  const title = tabTitle(words, shownOf(useMailboxes().data?.items ?? [], mailbox))
  useEffect(() => {
    document.title = title
  }, [title])
}
