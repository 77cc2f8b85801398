// Reads the log page by page, by cursors that are good for one tenant and environment. Knows nothing of HTTP.
// specification.md#event-feed
import type { TenantActor } from '../access/actor.ts'
import { assertMay } from '../access/permissions.ts'
import { problem } from '../access/problem.ts'
import { parseInstant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import { BEGINNING, type CursorCodec, type Position } from './cursor.ts'
import { noticeRewind } from './epoch.ts'
import { type LoggedEvent, placeOfInstant, readFeed } from './feed.ts'
import { readFilteredFeed } from './filtered-feed.ts'
import type { EventsQuery } from './schemas.ts'

interface EventDeps {
  database: Db
  cursors: CursorCodec
}

interface EventList {
  items: LoggedEvent[]
  /** Where to go on now; null when this was the last page. */
  nextCursor: string | null
  /** Where to go on when there is more some day: after the last event that was looked at, or where the reading began. */
  resumeCursor: string
}

/**
 * Up to `limit` events behind a cursor, from an instant on, or from the beginning. Those of a type or a resource may be fewer,
 * or none, and yet not the last.
 * @throws Problem invalid_cursor
 */
export async function listEvents(
  { database, cursors }: EventDeps,
  actor: TenantActor,
  { limit, cursor, type, resourceId }: EventsQuery,
): Promise<EventList> {
  assertMay(actor, 'readEvents')
  const after = cursor === undefined ? BEGINNING : await placeOf(database, cursors, actor, cursor)
  const isFiltered = type !== undefined || resourceId !== undefined
  const { items, position, more } = isFiltered
    ? await readFilteredFeed(database, actor, after, limit, { type, resourceId })
    : await readFeed(database, actor, after, limit)
  if (items.length === 0) await noticeRewind(database, after)
  const resumeCursor = cursors.encode(actor, position)
  return { items, nextCursor: more ? resumeCursor : null, resumeCursor }
}

async function placeOf(database: Db, cursors: CursorCodec, actor: TenantActor, cursor: string): Promise<Position> {
  const place = cursors.decode(actor, cursor)
  if (place) return place
  const instant = parseInstant(cursor)
  if (instant === undefined) throw problem('invalid_cursor')
  return placeOfInstant(database, actor, instant)
}
