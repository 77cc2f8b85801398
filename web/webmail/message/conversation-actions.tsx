// What may be done with the open conversation, by buttons that are called what they do. What may not be done is not there.
import { useEffect, useState } from 'preact/hooks'
import { Ask } from '../../ui/ask.tsx'
import { Menu } from '../../ui/menu.tsx'
import { deleteMessages, fileMessages, openItem } from '../actions.ts'
import { type Action, isOffered, movesTo } from '../filing.ts'
import type { OpenedMessage } from './message-page.tsx'
import type { Head } from './shapes.ts'
import { folderOf } from './which-open.ts'

/** Where a menu moves it to; by a button of its own it goes elsewhere. */
const PLACES = [
  ['inbox', 'Inbox'],
  ['archive', 'Archive'],
] as const

interface Props extends OpenedMessage {
  messages: readonly Head[]
  mayWrite(mailboxId: string): boolean
}

export function ConversationActions({ messages, mayWrite, ...opened }: Props) {
  const { messageId, mailbox, onLeft } = opened
  const [asks, setAsks] = useState(false)
  const folder = folderOf(messages, messageId, opened)
  const lies = (entry: Head['entries'][number]) =>
    entry.folder === folder && (mailbox === undefined || entry.mailboxId === mailbox)
  const lying = messages.filter(({ entries }) => entries.some(lies))
  const entries = lying.flatMap((message) => message.entries.filter(lies))
  const isStarred = entries.some((entry) => entry.isStarred)
  const isChangeable = folder !== undefined && entries.some(({ mailboxId }) => mayWrite(mailboxId))
  // The one that is named may lie elsewhere than its conversation.
  const named = lying.some(({ id }) => id === messageId) ? messageId : lying.at(-1)?.id

  // What keys are about.
  useEffect(() => {
    if (!isChangeable || named !== messageId) return
    openItem.value = { messageId, folder, mailbox, isStarred }
    return () => {
      openItem.value = undefined
    }
  }, [isChangeable, messageId, named, folder, mailbox, isStarred])

  if (!isChangeable || named === undefined) return null
  const about = { folder, mailbox, wholeConversations: true }
  const act = async (action: Action): Promise<void> => {
    await fileMessages(action, [named], about)
    if (movesTo(action) !== undefined && named !== messageId) onLeft()
  }
  const button = (action: Action, words: string) =>
    isOffered(action, folder) && (
      <button type="button" onClick={() => void act(action)}>
        {words}
      </button>
    )
  return (
    <fieldset class="actions" aria-label="Message">
      {button('archive', 'Archive')}
      {isStarred ? button('unstar', 'Unstar') : button('star', 'Star')}
      {entries.some(({ isRead }) => !isRead) ? button('read', 'Mark as read') : button('unread', 'Mark as unread')}
      {folder === 'spam' ? button('inbox', 'Not spam') : button('spam', 'Spam')}
      {button('trash', 'Trash')}
      <Menu
        label="Move to"
        items={PLACES.filter(([place]) => place !== folder)}
        onChoose={(action) => void act(action)}
      />
      {folder === 'trash' && (
        <button type="button" class="danger" onClick={() => setAsks(true)}>
          Delete for good
        </button>
      )}
      {asks && (
        <Ask title="Delete for good?" verb="Delete for good" onYes={deleteForGood} onClose={() => setAsks(false)}>
          {lying.length === 1 ? 'This message' : `${lying.length} messages of this conversation`} in the trash{' '}
          {lying.length === 1 ? 'is' : 'are'} gone for everybody who has the mailbox. It cannot be taken back.
        </Ask>
      )}
    </fieldset>
  )

  async function deleteForGood(): Promise<void> {
    await deleteMessages([named as string], about)
    if (named !== messageId) onLeft()
  }
}
