// What the webmail's search takes and gives.
import type { Static } from 'typebox'
import { Type } from '../../lib/schema-types.ts'
import { Closed, Nullable, Uuid } from '../../lib/schemas.ts'
import { MessageRow } from './message-list-schemas.ts'
import { FolderName } from './schemas.ts'

/** Characters. specification.md#search-in-the-webmail */
const LONGEST_SEARCH = 2_000

export const SearchAsked = Closed({
  q: Type.String({ format: 'text', maxLength: LONGEST_SEARCH }),
  mailbox: Type.Optional(Uuid),
  cursor: Type.Optional(Type.String()),
  /** By which days are counted: its name in the IANA database. */
  timeZone: Type.String({ maxLength: 100, default: 'UTC' }),
})

/** A message as it lies in one of the user's mailboxes: a row of one message. */
const FoundMail = Closed({ ...MessageRow.properties, folder: FolderName })

export const SearchPage = Closed({
  items: Type.Array(FoundMail),
  nextCursor: Nullable(Type.String()),
  /** What was not understood, in words. */
  ignored: Type.Array(Type.String()),
  /** What the mailbox had before is still being looked through: what is older is not found yet. */
  indexing: Type.Boolean(),
})
export type SearchPage = Static<typeof SearchPage>
