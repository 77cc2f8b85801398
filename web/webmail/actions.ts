// Files, flags and deletes, of whatever page asks for it: what shows changes at once and comes back with words when the server
// refuses, the newest can be undone, and a message that is open gives way to the next.
import { signal } from '@preact/signals'
import { changed } from '../ui/query.ts'
import { send } from '../ui/request.ts'
import { go, path, query } from '../ui/router.ts'
import { toast } from '../ui/toast.tsx'
import { type Action, changeBy, counted, deletedInWords, doingInWords, doneInWords, movesTo } from './filing.ts'
import { nearest } from './list/list-store.ts'
import { allStores, listsChanged, storeOf } from './list/stores.ts'
import { MAILBOXES_PATH } from './mailbox.ts'
import { hrefOf, messageAt, messageHref, placeAt } from './place.ts'
import type { Folder, Former } from './shapes.ts'
import { forgetUndo, offerUndo } from './undo.ts'

/** Where the messages lie that something is done with. */
export interface Lying {
  folder: Folder
  /** Undefined: all of the user's. */
  mailbox: string | undefined
  /** Also with the other messages there of the same conversations. */
  wholeConversations: boolean
}

/** What a request takes at most. */
const MOST_MESSAGES = 200
const MOST_ENTRIES = 1_000

/** As it is set by the page's layout: the list and the message are not beside one another. */
export const ONE_PANE = '(max-width: 68rem)'

/** What is being done with all of a folder. */
export interface Running {
  words: string
  done: number
  total: number
  stop(): void
}
export const running = signal<Running | undefined>(undefined)

/** Of what is open, if anything is: where it lies. Set by whoever shows it. */
export const openItem = signal<
  { messageId: string; folder: Folder; mailbox: string | undefined; isStarred: boolean } | undefined
>(undefined)

/** Never throws: what goes wrong is said. */
export async function fileMessages(action: Action, ids: readonly string[], lying: Lying): Promise<void> {
  if (ids.length === 0) return
  // Of the newest act there is an Undo once it is done, and of none before it.
  forgetUndo()
  const to = movesTo(action)
  const shown = showAs(ids, lying, to === undefined || to === lying.folder ? changeBy(action) : 'left')
  if (to !== undefined) leave(ids)
  shown.lay()
  const entries: Former[] = []
  try {
    for (const messages of partsOf(ids, MOST_MESSAGES)) {
      const { undo } = await send<{ undo: Former[] }>('POST', '/data/actions', { action, messages, ...lying })
      entries.push(...undo)
    }
    shown.settle()
    offerFormer(
      doneInWords(action, ids.length, lying.wholeConversations ? 'conversation' : 'message'),
      entries,
      shown.lift,
    )
  } catch (error) {
    shown.lift()
    toast((error as Error).message)
  }
  changedHere()
}

/** What was opened is read, and the rows of `readRows` show so at once. What cannot be marked now stays unread. Never throws. */
export async function readOpened(
  messages: readonly string[],
  lying: Omit<Lying, 'wholeConversations'>,
  readRows: readonly string[],
): Promise<void> {
  const about = { ...lying, wholeConversations: false }
  const shown = showAs(readRows, about, changeBy('read'))
  shown.lay()
  try {
    await send('POST', '/data/actions', { action: 'read', messages, ...about })
    shown.settle()
  } catch {
    shown.lift()
  }
  changedHere()
}

/** For good: what was asked for in words before. @throws Refusal */
export async function deleteMessages(ids: readonly string[], lying: Lying): Promise<void> {
  const shown = showAs(ids, lying, 'left')
  let [deleted, waiting] = [0, 0]
  try {
    for (const messages of partsOf(ids, MOST_MESSAGES)) {
      const answer = await send<{ deleted: number; waiting: number }>('POST', '/data/delete', { messages, ...lying })
      deleted += answer.deleted
      waiting += answer.waiting
    }
  } catch (error) {
    changedHere()
    throw error
  }
  // First: what is gone is asked for no more.
  leave(ids)
  if (waiting === 0) {
    shown.lay()
    shown.settle()
  }
  changedHere()
  forgetUndo()
  toast(deletedInWords(deleted, waiting))
}

/** All that lies in a folder and is no newer than `until`, batch by batch, until it is told to stop. Never throws. */
export async function fileFolder(
  action: Action,
  lying: Omit<Lying, 'wholeConversations'>,
  until: string,
  total: number,
) {
  const entries: Former[] = []
  let count = 0
  await inBatches(doingInWords(action), total, async (cursor) => {
    const body = { action, mailbox: lying.mailbox, until, cursor }
    const answer = await send<{ changed: number; undo: Former[]; nextCursor: string | null }>(
      'POST',
      `/data/folders/${lying.folder}/actions`,
      body,
    )
    entries.push(...answer.undo)
    count += answer.changed
    return { done: count, nextCursor: answer.nextCursor }
  })
  offerFormer(doneInWords(action, count, 'message'), entries, () => {})
}

/** The same, for good. */
export async function deleteFolder(lying: Omit<Lying, 'wholeConversations'>, until: string, total: number) {
  let [deleted, waiting] = [0, 0]
  await inBatches('Deleting for good', total, async (cursor) => {
    const body = { mailbox: lying.mailbox, until, cursor }
    const answer = await send<{ deleted: number; waiting: number; nextCursor: string | null }>(
      'POST',
      `/data/folders/${lying.folder}/delete`,
      body,
    )
    deleted += answer.deleted
    waiting += answer.waiting
    return { done: deleted + waiting, nextCursor: answer.nextCursor }
  })
  forgetUndo()
  toast(deletedInWords(deleted, waiting))
}

async function inBatches(
  words: string,
  total: number,
  act: (cursor: string | undefined) => Promise<{ done: number; nextCursor: string | null }>,
): Promise<void> {
  if (running.value) {
    toast('Something is being done with many messages. Wait for it, or stop it.')
    return
  }
  let isStopped = false
  const stop = () => {
    isStopped = true
  }
  running.value = { words, done: 0, total, stop }
  try {
    let cursor: string | null | undefined
    do {
      const { done, nextCursor } = await act(cursor ?? undefined)
      running.value = { words, done, total: Math.max(done, total), stop }
      cursor = nextCursor
      changedHere()
    } while (cursor !== null && !isStopped)
  } catch (error) {
    toast((error as Error).message)
  }
  running.value = undefined
  changedHere()
}

function offerFormer(words: string, entries: readonly Former[], lift: () => void): void {
  if (entries.length > 0) {
    offerUndo(words, () => putBack(entries, lift))
    return
  }
  forgetUndo()
  toast(words)
}

async function putBack(former: readonly Former[], lift: () => void): Promise<void> {
  lift()
  try {
    for (const entries of partsOf(former, MOST_ENTRIES)) await send('POST', '/data/undo', { entries })
    toast('Undone.')
  } catch (error) {
    toast((error as Error).message)
  }
  changedHere()
}

/** Wherever these rows show. */
function showAs(ids: readonly string[], { folder, mailbox }: Lying, change: ReturnType<typeof changeBy> | 'left') {
  const named = new Set(ids)
  const places = allStores().flatMap(({ place, store }) => {
    if (place.list !== 'search' && place.list !== folder) return []
    if (place.mailbox !== undefined && mailbox !== undefined && place.mailbox !== mailbox) return []
    const keys = store.shown.value.entries.flatMap(({ key, row }) =>
      row && named.has(row.id) && (row.folder ?? folder) === folder ? [key] : [],
    )
    // What was found stays found.
    return keys.length > 0 ? [{ store, keys, change: place.list === 'search' && change === 'left' ? {} : change }] : []
  })
  return {
    lay() {
      for (const { store, keys, change } of places) store.lay(keys, change)
    },
    settle() {
      for (const { store, keys } of places) store.settle(keys)
    },
    lift() {
      for (const { store, keys } of places) store.lift(keys)
    },
  }
}

/** When what is open is among these, the next opens; where the list is not beside it, the list. */
export function leave(ids: readonly string[]): void {
  const open = messageAt(path())
  if (open === undefined || !ids.includes(open)) return
  const place = placeAt(path(), query())
  const next = matchMedia(ONE_PANE).matches ? undefined : nextOpen(open)
  go(next === undefined ? hrefOf(place) : messageHref(next, place), { replace: true })
}

function nextOpen(open: string): string | undefined {
  const store = storeOf(placeAt(path(), query()))
  const { entries } = store.shown.value
  const key = entries.find(({ row }) => row?.id === open)?.key ?? store.cursor.value
  if (key === undefined) return undefined
  const next = nearest(entries, key, new Set([key]))
  return next === undefined ? undefined : store.row(next)?.id
}

/** Counts follow within a second. */
const COUNTED_AFTER_MS = 900

/** Everything that shows messages is fetched again. */
function changedHere(): void {
  listsChanged()
  void changed('/data/conversations/')
  countsChanged()
}

let counting: ReturnType<typeof setTimeout> | undefined

export function countsChanged(): void {
  void changed(MAILBOXES_PATH)
  clearTimeout(counting)
  counting = setTimeout(() => void changed(MAILBOXES_PATH), COUNTED_AFTER_MS)
}

function partsOf<T>(all: readonly T[], size: number): T[][] {
  const parts: T[][] = []
  for (let i = 0; i < all.length; i += size) parts.push(all.slice(i, i + size))
  return parts
}

export const emptyTrashWords = (messages: number): string =>
  `${counted(messages)} in the trash ${messages === 1 ? 'is' : 'are'} gone for everybody who has the mailbox. It cannot be taken back.`
