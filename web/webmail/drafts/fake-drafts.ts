// A server of drafts, and a clock, for tests: answers as the webmail's data operations do, unless it is told to be away or to lose
// its answers.
import type { Draft, DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import { Refusal } from '../../ui/request.ts'
import { type CreatedDraft, createDraft } from './create-draft.ts'
import { contentOf, sameContent } from './draft-content.ts'
import type { Clock, DraftParts, DraftServer, Kept, TabWord } from './draft-parts.ts'

export const EMPTY: DraftContent = {
  mailboxId: 'm',
  kind: 'new',
  answers: null,
  ...{ to: [], cc: [], bcc: [], subject: '', format: 'text', body: '', quote: null, attachmentIds: [] },
}

export interface FakeServer extends DraftServer {
  drafts: Map<string, Draft>
  sent: Draft[]
  /** How often one was made due that was not. */
  sendings: number
  /** Every request, by its name. */
  asked: string[]
  /** `away`: nothing arrives; `deaf`: what arrives is done, and not answered. */
  mood: 'well' | 'away' | 'deaf'
  refusal: Refusal | undefined
  /** What is due goes out. */
  sendDue(): void
}

const refusal = (status: number, code: string) => new Refusal(status, { code, message: code })

export function fakeServer(): FakeServer {
  let made = 0
  const found = (id: string): Draft => {
    const draft = server.drafts.get(id)
    if (!draft) throw refusal(404, 'not_found')
    return draft
  }
  async function answer<T>(name: string, act: () => T): Promise<T> {
    server.asked.push(name)
    if (server.mood === 'away') throw refusal(0, 'unreachable')
    if (server.refusal) throw server.refusal
    const given = act()
    await Promise.resolve()
    if (server.mood === 'deaf') throw refusal(0, 'unreachable')
    return structuredClone(given)
  }
  const server: FakeServer = {
    drafts: new Map(),
    sent: [],
    sendings: 0,
    asked: [],
    mood: 'well',
    refusal: undefined,
    read: (id) => answer('read', () => found(id)),
    save: (id, { baseVersion, ...content }) =>
      answer('save', () => {
        const before = server.drafts.get(id)
        if (!before && baseVersion > 0) throw refusal(404, 'not_found')
        if (before?.due) throw refusal(409, 'draft_due')
        if (before && before.version !== baseVersion) {
          if (before.version === baseVersion + 1 && sameContent(before, content)) return before
          throw refusal(409, 'draft_changed')
        }
        const draft: Draft = {
          ...contentOf(content),
          id,
          messageId: `message of ${id}`,
          version: baseVersion + 1,
          ...{ attachments: [], due: null, failure: null },
          savedAt: new Date(++made).toISOString(),
          savedBy: 'ada',
          createdAt: new Date(0).toISOString(),
        }
        server.drafts.set(id, draft)
        return draft
      }),
    send: (id, { version, sendAt }) =>
      answer('send', () => {
        const draft = found(id)
        if (draft.version !== version) throw refusal(409, 'draft_changed')
        if (!draft.due) server.sendings += 1
        const due = draft.due ?? { at: sendAt ?? 'soon', isScheduled: sendAt !== undefined }
        server.drafts.set(id, { ...draft, due })
        return { due, messageId: draft.messageId }
      }),
    takeBack: (id) =>
      answer('takeBack', () => {
        const draft = { ...found(id), due: null }
        server.drafts.set(id, draft)
        return draft
      }),
    discard: (id) =>
      answer('discard', () => {
        if (server.drafts.get(id)?.due) throw refusal(409, 'draft_due')
        server.drafts.delete(id)
      }),
    wasSent: (messageId) => answer('wasSent', () => server.sent.some((each) => each.messageId === messageId)),
    sendDue() {
      for (const draft of server.drafts.values()) {
        if (!draft.due) continue
        server.drafts.delete(draft.id)
        server.sent.push(draft)
      }
    },
  }
  return server
}

export interface FakeClock extends Clock {
  /** So far the clock on the wall goes wrong. */
  wrongByMs: number
  pass(ms: number): Promise<void>
}

/** Promises that are under way come to their end. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

export function fakeClock(): FakeClock {
  let now = 1_000_000
  const timers = new Set<{ at: number; act(): void }>()
  const clock: FakeClock = {
    wrongByMs: 0,
    now: () => now,
    date: () => now + clock.wrongByMs,
    random: () => 0,
    after(ms, act) {
      const timer = { at: now + ms, act }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async pass(ms) {
      const end = now + ms
      await settled()
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)
        if (!next) break
        timers.delete(next)
        now = Math.max(now, next.at)
        next.act()
        await settled()
      }
      now = end
    },
  }
  return clock
}

export interface FakeTab {
  open(kept?: Partial<Kept>): CreatedDraft
  /** What the browser would find after a crash. */
  kept: Map<string, Kept>
  copies: DraftContent[]
  due: string[]
  /** Of each of those: until when it can be taken back, and whether its time had come. */
  sendings: { untilMs: number; isLate: boolean }[]
  refused: string[]
  filesGone: string[]
  hears(word: TabWord): void
}

/** A tab of a browser; `others` hear what it tells. */
export function fakeTab(server: DraftServer, clock: Clock, others: readonly FakeTab[] = []): FakeTab {
  const drafts: CreatedDraft[] = []
  const parts: DraftParts = {
    server,
    clock,
    keeper: {
      keep: (kept) => void tab.kept.set(kept.draftId, structuredClone(kept)),
      forget: (id) => void tab.kept.delete(id),
      done: async () => {},
    },
    tell(word) {
      for (const other of others) other.hears(structuredClone(word))
    },
    copy: async (content) => void tab.copies.push(content),
    onDue({ id }, untilMs, isLate) {
      tab.due.push(id)
      tab.sendings.push({ untilMs, isLate })
    },
    onDiscarded: () => {},
    onQueued: () => {},
    onFileGone: (_draft, why) => void tab.filesGone.push(why.message),
    onRefused: (_draft, why) => void tab.refused.push(why.message),
  }
  const tab: FakeTab = {
    kept: new Map(),
    copies: [],
    due: [],
    sendings: [],
    refused: [],
    filesGone: [],
    open(kept = {}) {
      const draft = createDraft(parts, {
        draftId: 'd',
        keptAtMs: 0,
        ...{ stored: null, initial: EMPTY, content: kept.stored ? contentOf(kept.stored) : EMPTY },
        ...{ attempt: null, attachments: [], wish: null },
        ...kept,
      })
      drafts.push(draft)
      return draft
    },
    hears(word) {
      for (const draft of drafts) draft.hear(word)
    },
  }
  return tab
}
