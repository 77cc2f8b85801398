// Opening marks as read, at once.
import { readOpened } from '../actions.ts'
import type { Head } from './shapes.ts'
import { unreadByPlace, unreadIn } from './which-open.ts'

/**
 * Of the messages of a conversation those that are open. Where the user may only read, they stay as they are. What cannot be
 * marked now stays unread: the next opening marks it.
 */
export async function markRead(
  messages: readonly Head[],
  opened: ReadonlySet<string>,
  mayWrite: (mailboxId: string) => boolean,
): Promise<void> {
  const [now, others] = [messages.filter(({ id }) => opened.has(id)), messages.filter(({ id }) => !opened.has(id))]
  const asked = unreadByPlace(now, mayWrite).map(({ messages: ids, ...place }) => {
    // A list has one row of the whole conversation, which is read when all of it is.
    const rows = unreadIn(others, place.folder) ? [] : messages.map(({ id }) => id)
    return readOpened(ids, place, rows)
  })
  await Promise.all(asked)
}
