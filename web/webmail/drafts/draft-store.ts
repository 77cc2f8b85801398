// The drafts that this tab has open or still has something to do for: however long that takes, and whichever page shows.
import { effect, signal } from '@preact/signals'
import type { DraftAttachment, DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import { changed } from '../../ui/query.ts'
import type { Refusal } from '../../ui/request.ts'
import { session } from '../../ui/session.ts'
import { countsChanged } from '../actions.ts'
import { DRAFTS_PATH, draftServer } from './ask-server.ts'
import { type CreatedDraft, createDraft } from './create-draft.ts'
import { contentOf } from './draft-content.ts'
import type { Clock, DraftParts, Kept, OpenDraft, TabWord } from './draft-parts.ts'
import { forgetKept, isAnythingKept, keeperOf, takeOver } from './keep-in-browser.ts'
import { beThere, tabId, tabsOf, whoIsThere } from './tabs.ts'
import {
  tellCopied,
  tellDiscarded,
  tellFileGone,
  tellQueued,
  tellRecovered,
  tellRefused,
  tellSending,
  tellSigningOut,
} from './tell.tsx'

export type { OpenDraft } from './draft-parts.ts'

const clock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  after(ms, act) {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}

const SENDING_MS = 1_500
const LONGEST_TIMER_MS = 2 ** 31 - 1

interface Held {
  draft: CreatedDraft
  /** How many pages of this tab show it. */
  users: number
}

const held = signal<ReadonlyMap<string, Held>>(new Map())

/** What the server does not have as this tab has it, or has yet to do. */
export const pendingDrafts = (): readonly OpenDraft[] =>
  [...held.value.values()].map(({ draft }) => draft).filter(({ isAtRest }) => !isAtRest.value)

let started: { parts: DraftParts; ready: Promise<void> } | undefined

/** Once a page, as soon as somebody is signed in: goes on with what earlier pages of this browser did not come to do. */
export function startDrafts(): { parts: DraftParts; ready: Promise<void> } {
  started ??= begin()
  return started
}

function begin(): { parts: DraftParts; ready: Promise<void> } {
  const { userId } = session()
  const keeper = keeperOf({ userId, tabId })
  const tabs = tabsOf(userId, (word) => {
    held
      .peek()
      .get(word.kind === 'saved' ? word.draft.id : word.id)
      ?.draft.hear(word)
    showAgain(word)
  })
  const parts: DraftParts = {
    server: draftServer,
    keeper,
    clock,
    tell(word) {
      tabs.tell(word)
      showAgain(word)
    },
    async copy(content, attachments) {
      const copied = hold(parts, keptOf(content, blank(content), attachments))
      await keeper.done()
      tellCopied(copied)
    },
    onDiscarded(content, attachments) {
      tellDiscarded(async () => {
        const again = hold(parts, keptOf(content, blank(content), attachments))
        await again.flush()
      })
    },
    onDue: (draft, untilMs, isLate) =>
      void tellSending(draft, untilMs, isLate).then((outcome) => {
        const gone: TabWord = { kind: 'gone', id: draft.id, how: 'sent' }
        if (outcome === 'sent') parts.tell(gone)
        // It may be open here again.
        if (outcome === 'sent') held.peek().get(draft.id)?.draft.hear(gone)
        void changed(DRAFTS_PATH)
        countsChanged()
      }),
    onQueued: tellQueued,
    onFileGone: tellFileGone,
    onRefused: tellRefused,
  }
  followPage(userId)
  return { parts, ready: recover(userId, parts) }
}

async function recover(userId: string, parts: DraftParts): Promise<void> {
  await beThere()
  // A browser that keeps nothing has nothing to go on with.
  const left = await takeOver({ userId, tabId }, await whoIsThere()).catch(() => [])
  for (const kept of left) {
    const draft = hold(parts, kept, true)
    if (!kept.wish) tellRecovered(draft)
  }
}

/** Has a draft to write on, with what this browser kept of it. @throws Refusal: 404 when there is none that the user may change */
export async function openDraft(id: string): Promise<OpenDraft> {
  const { parts, ready } = startDrafts()
  await ready
  const there = held.peek().get(id)
  if (there) return use(there)
  const stored = await draftServer.read(id)
  const meanwhile = held.peek().get(id)
  if (meanwhile) return use(meanwhile)
  const content = contentOf(stored)
  hold(parts, { ...keptOf(content, content, stored.attachments), draftId: id, stored })
  return use(held.peek().get(id) as Held)
}

/** Begins one. Nothing of it is saved before something is changed. */
export function newDraft(content: DraftContent): OpenDraft {
  const { parts } = startDrafts()
  const draft = hold(parts, keptOf(content, content, []))
  return use(held.peek().get(draft.id) as Held)
}

function use(one: Held): OpenDraft {
  one.users += 1
  return one.draft
}

function hold(parts: DraftParts, kept: Kept, isRecovered = false): CreatedDraft {
  const draft = createDraft(parts, kept, isRecovered)
  const one: Held = { draft, users: 0 }
  const letGo = (): void => {
    if (one.users > 0 || !draft.isAtRest.peek() || held.peek().get(draft.id) !== one) return
    stop()
    draft.stop()
    held.value = new Map([...held.peek()].filter(([, each]) => each !== one))
  }
  held.value = new Map([...held.peek(), [draft.id, one]])
  const close = draft.close
  draft.close = () => {
    one.users -= 1
    close()
    letGo()
  }
  const letGoAtRest = effect(() => {
    if (draft.isAtRest.value) queueMicrotask(letGo)
  })
  // While it is looked at: once it is due it is sent, or is a draft again.
  const lookWhenDue = effect(() => {
    const due = draft.due.value
    if (!due) return
    const timer = setTimeout(() => one.users > 0 && void lookAgain(draft), timeUntil(due.at))
    return () => clearTimeout(timer)
  })
  const stop = (): void => {
    letGoAtRest()
    lookWhenDue()
  }
  return draft
}

const keptOf = (content: DraftContent, initial: DraftContent, attachments: readonly DraftAttachment[]): Kept => ({
  draftId: crypto.randomUUID(),
  keptAtMs: Date.now(),
  stored: null,
  ...{ initial, content, attachments },
  attempt: null,
  wish: null,
})

/** With the moment that the sending takes, and no longer than a timer can be set for. */
const timeUntil = (instant: string): number =>
  Math.min(Math.max(Date.parse(instant) - Date.now(), 0) + SENDING_MS, LONGEST_TIMER_MS)

/** What has nothing that could be lost. */
const blank = (content: DraftContent): DraftContent => ({
  ...content,
  ...{ to: [], cc: [], bcc: [], subject: '', body: '', quote: null, attachmentIds: [] },
})

/** The lists and counts that show drafts. */
function showAgain(word: TabWord): void {
  void changed(DRAFTS_PATH)
  // Each save of one that is there counts the same.
  if (word.kind === 'gone' || word.draft.version === 1) countsChanged()
}

function followPage(userId: string): void {
  const all = (): CreatedDraft[] => [...held.peek().values()].map(({ draft }) => draft)
  const leave = (): void => {
    for (const draft of all()) void draft.flush()
  }
  const comeBack = (): void => {
    for (const { draft, users } of held.peek().values()) {
      draft.nudge()
      if (users > 0 && draft.isAtRest.peek()) void lookAgain(draft)
    }
    void changed(DRAFTS_PATH)
  }
  document.addEventListener('visibilitychange', () => (document.visibilityState === 'hidden' ? leave() : comeBack()))
  addEventListener('pagehide', leave)
  addEventListener('online', comeBack)
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement
    if (new URL(form.action).pathname !== '/sign-out') return
    event.preventDefault()
    void signOut(userId, all(), () => form.submit())
  })
  // Whoever signs in in another tab does not see what is written here.
  effect(() => {
    if (session().userId !== userId) location.reload()
  })
}

/** Somebody else may have changed it. */
async function lookAgain(draft: CreatedDraft): Promise<void> {
  if (draft.messageId.peek() === undefined) return
  const theirs = await draftServer.read(draft.id).catch((why: Refusal) => (why.status === 404 ? null : undefined))
  // What could not be asked is asked another time.
  if (theirs !== undefined && draft.isAtRest.peek()) await draft.meet(theirs ?? undefined).catch(() => {})
}

/** Nothing that was written stays in the browser, and nothing is lost unasked. */
async function signOut(userId: string, drafts: readonly CreatedDraft[], go: () => void): Promise<void> {
  const leave = (): void => void forgetKept(userId).then(go, go)
  await Promise.all(drafts.map((draft) => draft.flush()))
  await startDrafts().parts.keeper.done()
  if (await isAnythingKept(userId).catch(() => false)) tellSigningOut(leave)
  else leave()
}

/** Of the list: a draft that no page shows. Gives what the act gives. */
export async function withDraft<T>(id: string, act: (draft: OpenDraft) => Promise<T>): Promise<T> {
  const draft = await openDraft(id)
  try {
    return await act(draft)
  } finally {
    draft.close()
  }
}
