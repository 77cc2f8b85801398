// Changes as server-sent events (HTML Living Standard, 9.2.6). Pure. A cursor, an id and a type of ours hold no line end.
import type { Change } from '../../events/follow-feed.ts'

/** What a page reads: what happened to what, or that it is to fetch all anew, as something was missed. */
export type ChangeData =
  | { type: string; id: string; mailboxIds?: readonly string[] }
  | { type: 'reload'; id?: never; mailboxIds?: never }

/** How soon a browser comes back when a stream ends. */
const RETRY_MS = 2_000

/** The first words of a stream: where it begins, so that who is cut off before the first change has missed none. */
export function beginningText(cursor: string, isAnew: boolean): string {
  const begin = `retry: ${RETRY_MS}\nid: ${cursor}\n`
  return isAnew ? `${begin}${dataLine({ type: 'reload' })}\n` : `${begin}\n`
}

export function changesText(changes: readonly Change[]): string {
  return changes.map(changeText).join('')
}

function changeText({ cursor, type, resourceId, mailboxIds }: Change): string {
  const data = { type, id: resourceId, ...(mailboxIds.length > 0 ? { mailboxIds } : {}) }
  return `id: ${cursor}\n${dataLine(data)}\n`
}

/**
 * A comment that keeps the connection open. `cursor`: how far the log was read without anything for this stream; an id
 * without data counts, and nothing happens in the page.
 */
export function beatText(cursor: string | undefined): string {
  return cursor === undefined ? ':\n\n' : `:\nid: ${cursor}\n\n`
}

/** All is to be fetched anew; where the stream is stays as it was. */
export const RELOAD_TEXT = `data: ${JSON.stringify({ type: 'reload' } satisfies ChangeData)}\n\n`

function dataLine(data: ChangeData): string {
  return `data: ${JSON.stringify(data)}\n`
}
