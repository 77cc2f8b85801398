// What is asked of the server for an open draft, and what its answer means.
import type { Draft } from '../../../src/servers/webmail/draft-schemas.ts'
import { Refusal } from '../../ui/request.ts'
import { contentOf, savedAs } from './draft-content.ts'
import type { Step } from './draft-decisions.ts'
import type { Clock, DraftEnd, DraftServer, Wish } from './draft-parts.ts'
import type { DraftSignals } from './draft-signals.ts'

/** Between Send and the sending. */
const TAKE_BACK_MS = 10_000

interface Asking {
  id: string
  server: DraftServer
  clock: Clock
  known: DraftSignals
  keepNow(): void
  /** What the server has is known here. */
  follow(draft: Draft): void
  /** What the server has may be known here. @throws Refusal */
  meet(theirs: Draft): Promise<void>
  finish(how: DraftEnd): void
  /** What was wanted is done. */
  granted(): void
  /** What is changed from now on is not in the save. */
  onSaving(): void
  onDue(untilMs: number, isLate: boolean): void
}

/** @throws Refusal, each of them */
export function stepsOf(asking: Asking): Record<Step, () => Promise<void>> {
  const { id, server, clock, keepNow, follow, meet, finish, granted, onSaving, onDue } = asking
  const { stored, mine, attempt, wish, isSaving } = asking.known
  /** When this page asked for what is in doubt; undefined: an earlier page did. */
  let firstAskedAt: number | undefined

  /** It was asked for, and nobody knows whether that arrived: it is looked at before it is asked again. @throws also why it failed */
  async function mayHaveArrived(wanted: Wish, draft: Draft): Promise<boolean> {
    const there = await server.read(id)
    if (wish.peek() !== wanted) return true
    if (there.version !== draft.version) {
      await meet(there)
      return true
    }
    if (there.due) {
      wish.value = undefined
      follow({ ...draft, due: there.due, messageId: there.messageId })
      granted()
      onDue(firstAskedAt === undefined ? 0 : firstAskedAt + TAKE_BACK_MS, false)
      return true
    }
    if (!there.failure || there.failure.code === draft.failure?.code) return false
    follow(there)
    throw new Error(there.failure.message)
  }

  return {
    async save() {
      // What was not answered is said again as it was, so that the server knows it.
      const content = attempt.peek() ?? mine.peek()
      attempt.value = content
      onSaving()
      keepNow()
      isSaving.value = true
      try {
        const saved = await server.save(id, { baseVersion: stored.peek()?.version ?? 0, ...contentOf(content) })
        follow(savedAs(saved, content))
      } finally {
        isSaving.value = false
      }
    },

    async send() {
      const wanted = wish.peek()
      const draft = stored.peek()
      if (wanted?.kind !== 'send' || !draft) return
      if (!wanted.isInDoubt) firstAskedAt = clock.now()
      else if (await mayHaveArrived(wanted, draft)) return
      const askedAt = clock.now()
      const doubtful = { ...wanted, isInDoubt: true }
      wish.value = doubtful
      // A page that ends before the answer comes leaves it to the next.
      keepNow()
      const isAhead = wanted.sendAt !== null && Date.parse(wanted.sendAt) - clock.date() > TAKE_BACK_MS
      const how = { version: draft.version, ...(wanted.sendAt !== null && isAhead ? { sendAt: wanted.sendAt } : {}) }
      const { due, messageId } = await server.send(id, how).catch((why: Error) => {
        // Of one that was refused for now it is known that it was not done.
        if (why instanceof Refusal && why.status === 429 && wish.peek() === doubtful) wish.value = wanted
        throw why
      })
      const isWanted = wish.peek() === doubtful
      if (isWanted) wish.value = undefined
      follow({ ...draft, due, messageId })
      if (!isWanted) return
      granted()
      onDue(askedAt + TAKE_BACK_MS, wanted.sendAt !== null && !due.isScheduled)
    },

    async take_back() {
      // What was never saved was never sent.
      if (stored.peek()) await meet(await server.takeBack(id))
      if (wish.peek()?.kind === 'take_back') wish.value = undefined
      keepNow()
      granted()
    },

    async discard() {
      if (stored.peek() || attempt.peek()) await server.discard(id)
      finish('discarded')
    },
  }
}
