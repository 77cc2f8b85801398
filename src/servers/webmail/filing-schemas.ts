// What the webmail's pages say and are told of filing, flagging and deleting. specification.md#filing-in-the-webmail
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { atLeastOneOf, Closed, Nullable, OneOf, Uuid } from '../../lib/schemas.ts'
import { FILING_ACTIONS } from '../../messages/filing/filing-action.ts'
import { FolderName } from './schemas.ts'

const MOST_MESSAGES = 200
const MOST_ENTRIES = 1_000

const Action = OneOf(FILING_ACTIONS)

/** What is named one by one. */
const named = {
  messages: Type.Array(Uuid, { minItems: 1, maxItems: MOST_MESSAGES }),
  folder: FolderName,
  mailbox: Type.Optional(Uuid),
  wholeConversations: Type.Boolean(),
}

/** All of a folder: the first batch has no cursor; each other one has that of the batch before. */
const ofFolder = {
  mailbox: Type.Optional(Uuid),
  until: Type.String(),
  cursor: Type.Optional(Type.String()),
}

export const FolderPath = Closed({ folder: FolderName })

export const FileMessages = Closed({ action: Action, ...named })
export type FileMessages = Static<typeof FileMessages>
export const DeleteMessages = Closed(named)
export type DeleteMessages = Static<typeof DeleteMessages>
export const FileFolder = Closed({ action: Action, ...ofFolder })
export type FileFolder = Static<typeof FileFolder>
export const DeleteFolder = Closed(ofFolder)
export type DeleteFolder = Static<typeof DeleteFolder>

/** An entry with what it was, of what was changed. */
const former = {
  messageId: Uuid,
  mailboxId: Uuid,
  folder: Type.Optional(FolderName),
  isRead: Type.Optional(Type.Boolean()),
  isStarred: Type.Optional(Type.Boolean()),
}
const FormerOf = Closed(former)
export type FormerState = Static<typeof FormerOf>

export const UndoFiling = Closed({
  entries: Type.Array(Closed(former, atLeastOneOf('isRead', 'isStarred', 'folder')), {
    minItems: 1,
    maxItems: MOST_ENTRIES,
  }),
})
export type UndoFiling = Static<typeof UndoFiling>

const filed = { changed: Type.Integer(), undo: Type.Array(FormerOf) }
const deleted = { deleted: Type.Integer(), waiting: Type.Integer() }
const batch = { nextCursor: Nullable(Type.String()) }

export const Filed = Closed(filed)
export type Filed = Static<typeof Filed>
export const FiledBatch = Closed({ ...filed, ...batch })
export type FiledBatch = Static<typeof FiledBatch>
export const Undone = Closed({ changed: Type.Integer() })
export type Undone = Static<typeof Undone>
export const Deleted = Closed(deleted)
export type Deleted = Static<typeof Deleted>
export const DeletedBatch = Closed({ ...deleted, ...batch })
export type DeletedBatch = Static<typeof DeletedBatch>
