// What may be done with messages, where, and what is said of it. Pure.
import type { Folder, Row } from './shapes.ts'

export type Action = 'read' | 'unread' | 'star' | 'unstar' | 'archive' | 'inbox' | 'spam' | 'trash'

const MOVES: Partial<Record<Action, Folder>> = { archive: 'archive', inbox: 'inbox', spam: 'spam', trash: 'trash' }

/** Where it puts them; undefined: they stay. */
export const movesTo = (action: Action): Folder | undefined => MOVES[action]

/** What a row is once it is done. */
export function changeBy(action: Action): Partial<Pick<Row, 'isRead' | 'isStarred' | 'folder'>> {
  const folder = movesTo(action)
  if (folder) return { folder }
  return action === 'read' || action === 'unread' ? { isRead: action === 'read' } : { isStarred: action === 'star' }
}

/** Whether it is offered where they lie. */
export function isOffered(action: Action, folder: Folder): boolean {
  if (action === 'archive') return folder !== 'archive' && folder !== 'trash'
  if (action === 'inbox') return folder !== 'inbox' && folder !== 'sent'
  if (action === 'spam') return folder === 'inbox' || folder === 'archive'
  return action !== 'trash' || folder !== 'trash'
}

const DONE: Record<Action, string> = {
  read: 'marked as read',
  unread: 'marked as unread',
  star: 'starred',
  unstar: 'no longer starred',
  archive: 'archived',
  inbox: 'moved to the inbox',
  spam: 'marked as spam',
  trash: 'moved to the trash',
}

const DOING: Record<Action, string> = {
  read: 'Marking as read',
  unread: 'Marking as unread',
  star: 'Starring',
  unstar: 'Taking stars away',
  archive: 'Archiving',
  inbox: 'Moving to the inbox',
  spam: 'Marking as spam',
  trash: 'Moving to the trash',
}

const number = new Intl.NumberFormat('en')

/** `what`: of one; `conversation` or `message`. */
export function doneInWords(action: Action, count: number, what = 'conversation'): string {
  if (count === 1) return `${what[0]?.toUpperCase()}${what.slice(1)} ${DONE[action]}.`
  return `${number.format(count)} ${what}s ${DONE[action]}.`
}

export const doingInWords = (action: Action): string => DOING[action]

/** `waiting`: still on their way to somebody. */
export function deletedInWords(deleted: number, waiting: number): string {
  const gone = `${counted(deleted)} deleted for good.`
  if (waiting === 0) return gone
  return `${gone} ${counted(waiting)} still on the way to somebody ${waiting === 1 ? 'stays' : 'stay'} until then.`
}

export const counted = (count: number): string => `${number.format(count)} ${count === 1 ? 'message' : 'messages'}`
