// Which messages of a conversation are open when it is opened, and where it lies. Pure.
import type { Entry, Head } from './shapes.ts'

/** Each that is open is fetched, and may have a frame of its own. */
const MOST_OPEN = 10

/** The newest, the one that was asked for, and what is unread, as far as so many are open. */
export function opensWith(messages: readonly Head[], messageId: string): Set<string> {
  const newest = messages.at(-1)
  const always = messages.filter((message) => message === newest || message.id === messageId)
  const unread = messages.filter((message) => !always.includes(message) && isUnread(message))
  return new Set([...always, ...unread.slice(-(MOST_OPEN - always.length))].map(({ id }) => id))
}

/** In any of the mailboxes. */
export const isUnread = ({ entries }: Pick<Head, 'entries'>): boolean => entries.some(({ isRead }) => !isRead)

/** Whether something of them is unread that lies there, in any of the mailboxes. */
export const unreadIn = (messages: readonly Pick<Head, 'entries'>[], where: Entry['folder']): boolean =>
  messages.some(({ entries }) => entries.some(({ folder, isRead }) => folder === where && !isRead))

export interface Place {
  folder: Entry['folder']
  /** Undefined: all of them. */
  mailbox: string | undefined
}

/** What is unread of these, by where it lies, in mailboxes that `mayWrite` says may be changed. */
export function unreadByPlace(
  messages: readonly Head[],
  mayWrite: (mailboxId: string) => boolean,
): { folder: Entry['folder']; mailbox: string; messages: string[] }[] {
  const places = new Map<string, { folder: Entry['folder']; mailbox: string; messages: string[] }>()
  for (const { id, entries } of messages) {
    for (const { mailboxId, folder, isRead } of entries) {
      if (isRead || !mayWrite(mailboxId)) continue
      const key = `${mailboxId} ${folder}`
      const place = places.get(key) ?? { folder, mailbox: mailboxId, messages: [] }
      place.messages.push(id)
      places.set(key, place)
    }
  }
  return [...places.values()]
}

/**
 * The folder on which what is done here is done: that of the list it was opened from, when it still lies there; else where the
 * named message lies, or the newest.
 */
export function folderOf(
  messages: readonly Head[],
  messageId: string,
  from: { folder?: Entry['folder'] | undefined; mailbox?: string | undefined },
): Entry['folder'] | undefined {
  const within = (message: Head): Entry[] =>
    message.entries.filter(({ mailboxId }) => from.mailbox === undefined || mailboxId === from.mailbox)
  const folders = messages.flatMap(within).map(({ folder }) => folder)
  if (from.folder !== undefined && folders.includes(from.folder)) return from.folder
  const named = messages.find(({ id }) => id === messageId)
  return (named && within(named)[0]?.folder) ?? messages.flatMap(within).at(-1)?.folder
}
