// What the lists are given, of folders and of what was found.
import type { UndoFiling } from '../../src/servers/webmail/filing-schemas.ts'
import type { MessageRow } from '../../src/servers/webmail/message-list-schemas.ts'
import type { FolderName } from '../../src/servers/webmail/schemas.ts'

export type Folder = FolderName

/** `folder`: where it was found. */
export type Row = MessageRow & { folder?: Folder }

export interface Page {
  items: Row[]
  nextCursor: string | null
  /** Of what was looked for: what was not understood, in words. */
  ignored?: string[]
  /** What lay there before is still being looked through. */
  indexing?: boolean
}

/** What an entry was before it was filed or flagged. */
export type Former = UndoFiling['entries'][number]
