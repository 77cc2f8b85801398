// What filing and flagging does to an entry, and what takes it back. Pure.
import type { EntryChange, EntryRef } from '../change-entries.ts'
import type { Folder } from '../schemas.ts'

const CHANGES = {
  read: { isRead: true },
  unread: { isRead: false },
  star: { isStarred: true },
  unstar: { isStarred: false },
  archive: { folder: 'archive' },
  inbox: { folder: 'inbox' },
  spam: { folder: 'spam' },
  trash: { folder: 'trash' },
} as const satisfies Record<string, EntryChange>

export type FilingAction = keyof typeof CHANGES

export const FILING_ACTIONS = Object.keys(CHANGES) as FilingAction[]

/** What an action asks for of each entry. */
export function changeBy(action: FilingAction): EntryChange {
  return CHANGES[action]
}

/** An entry as it is. */
export interface FiledEntry extends EntryRef, Required<EntryChange> {
  folder: Folder
}

/** An entry with what it was before a change, of what the change was about. */
export type FormerEntry = EntryRef & EntryChange

/** What of a change makes a difference to an entry, and what that was before; undefined when it is so already. */
export function difference(
  entry: FiledEntry,
  asked: EntryChange,
): { change: EntryChange; former: EntryChange } | undefined {
  const differing = (Object.keys(asked) as (keyof EntryChange)[]).filter(
    (what) => asked[what] !== undefined && asked[what] !== entry[what],
  )
  if (differing.length === 0) return undefined
  const only = (values: EntryChange): EntryChange => Object.fromEntries(differing.map((what) => [what, values[what]]))
  return { change: only(asked), former: only(entry) }
}
