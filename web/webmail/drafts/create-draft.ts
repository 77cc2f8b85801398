// A draft while it is written: what is changed is kept in the browser at once and saved soon after, one request at a time. What
// the server, another tab or another person does meanwhile loses no text.
import { computed } from '@preact/signals'
import type { Draft } from '../../../src/servers/webmail/draft-schemas.ts'
import { plainWords } from '../../ui/plain-words.ts'
import { Refusal } from '../../ui/request.ts'
import { askInTurn } from './ask-in-turn.ts'
import { absentIn, contentOf, sameContent, without } from './draft-content.ts'
import { compare, nextStep, type Step, stateOf } from './draft-decisions.ts'
import type { DraftEnd, DraftParts, Kept, OpenDraft, TabWord, Wish } from './draft-parts.ts'
import { shownOf, signalsOf } from './draft-signals.ts'
import { stepsOf } from './draft-steps.ts'
import { savesAt } from './save-times.ts'

export const CHANGED_ELSEWHERE = 'Somebody changed this draft meanwhile. Look which text is right, then send it.'
export const SENT_ALREADY = 'It has been sent already.'
export const fileGone = (filename = 'A file'): string =>
  `${plainWords(filename)} is no longer on the server, and was taken out. Attach it again, or send the message without it.`
export const GONE = 'The draft is gone: it was discarded, or you no longer have the mailbox.'

/** With what only those who keep open drafts do. */
export interface CreatedDraft extends OpenDraft {
  hear(word: TabWord): void
  /** The server has this; undefined: nothing any more. @throws Refusal */
  meet(theirs: Draft | undefined): Promise<void>
  nudge(): void
  stop(): void
}

export function createDraft(parts: DraftParts, kept: Kept, isRecovered = false): CreatedDraft {
  const { server, keeper, clock } = parts
  const id = kept.draftId
  const known = signalsOf(kept)
  const { stored, mine, attempt, wish, conflict, fault, end, replaced, isSaving, facts, isAtRest } = known

  /** It was refused, and nothing has changed since. */
  let isBlocked = false
  let isUrgent = false
  let firstChange: number | undefined
  let latestChange = 0
  /** Whoever waits for the wish. */
  let asked: PromiseWithResolvers<void> | undefined

  const turns = askInTurn<Step>(clock, {
    next: () => nextStep({ ...facts.peek(), isBlocked }),
    timeOf(step) {
      const mayRest = step === 'save' && !isUrgent && !wish.peek() && !attempt.peek()
      return mayRest && firstChange !== undefined ? savesAt(firstChange, latestChange) : 0
    },
    ask: (step) => steps[step](),
    async refused(step, why) {
      if (!(why instanceof Refusal)) return giveUp(why)
      if (why.status === 404 && 'field' in why.details) return withoutAbsent(why, String(why.details.field))
      if (why.status === 404) return finish(await howItEnded())
      if (why.code === 'draft_changed' || (why.code === 'draft_due' && step !== 'discard')) {
        return meet(await server.read(id))
      }
      if (step === 'save') attempt.value = undefined
      giveUp(why)
    },
    gaveUp: giveUp,
    wentAway() {
      const wanted = wish.peek()
      if (wanted?.kind === 'send') wish.value = { ...wanted, isQueued: true }
      keepNow()
      if (wanted?.kind === 'send' && !wanted.isQueued) parts.onQueued(self)
      // What is wanted is kept, so that nobody need wait. Of one that is due it must be known whether it was in time.
      if (!(wanted?.kind === 'take_back' && stored.peek()?.due)) granted()
    },
  })

  const steps = stepsOf({
    ...{ id, server, clock, known, keepNow, follow, meet, finish, granted },
    onSaving() {
      firstChange = undefined
    },
    onDue: (untilMs, isLate) => parts.onDue(self, untilMs, isLate),
  })

  function giveUp(why: Error): void {
    const wanted = wish.peek()
    isBlocked = true
    fault.value = why
    wish.value = undefined
    keepNow()
    denied(wanted, why)
  }

  function granted(): void {
    asked?.resolve()
    asked = undefined
  }

  function denied(wanted: Wish | undefined, why: Error): void {
    if (asked) asked.reject(why)
    else if (wanted) parts.onRefused(self, why)
    asked = undefined
  }

  async function howItEnded(): Promise<DraftEnd> {
    const messageId = stored.peek()?.messageId
    return messageId !== undefined && (await server.wasSent(messageId)) ? 'sent' : 'discarded'
  }

  /** Something that it names is there no more: what was written is saved without it, and not sent without a file unasked. */
  function withoutAbsent(why: Refusal, field: string): void {
    const found = absentIn(attempt.peek() ?? mine.peek(), field)
    attempt.value = undefined
    if (!found) {
      giveUp(why)
      return
    }
    mine.value = without(mine.peek(), found)
    const wanted = wish.peek()
    if ('fileId' in found) {
      const gone = new Error(fileGone(known.files.peek().get(found.fileId)?.filename))
      if (wanted?.kind === 'send') wish.value = undefined
      if (wanted?.kind === 'send') denied(wanted, gone)
      else parts.onFileGone(self, gone)
    }
    keepNow()
  }

  /** There is no such draft any more. What was not saved of it stays, until somebody says what becomes of it. */
  function finish(how: DraftEnd): void {
    const wanted = wish.peek()
    attempt.value = undefined
    wish.value = undefined
    if (wanted?.kind === 'discard') {
      parts.onDiscarded(mine.peek(), [...known.files.peek().values()])
      mine.value = known.base()
    }
    end.value = how
    keepNow()
    parts.tell({ kind: 'gone', id, how })
    if (wanted?.kind === 'send' && how === 'discarded') denied(wanted, new Error(GONE))
    else if (wanted?.kind === 'take_back' && how === 'sent') denied(wanted, new Error(SENT_ALREADY))
    else granted()
    if (wanted?.kind === 'send' && how === 'sent') parts.onDue(self, 0, false)
  }

  /** What the server has is known here. */
  function follow(draft: Draft): void {
    attempt.value = undefined
    fault.value = undefined
    stored.value = draft
    known.remember(draft.attachments)
    keepNow()
    parts.tell({ kind: 'saved', draft })
  }

  function replace(theirs: Draft): void {
    stored.value = theirs
    mine.value = contentOf(theirs)
    known.remember(theirs.attachments)
    replaced.value += 1
    keepNow()
  }

  async function meet(theirs: Draft | undefined): Promise<void> {
    if (!theirs) {
      if (stored.peek()) finish(await howItEnded())
      return
    }
    const found = compare({ theirs, mine: mine.peek(), stored: stored.peek(), attempt: attempt.peek() })
    if (found === 'follow') return follow(theirs)
    const wanted = wish.peek()
    // What somebody else wrote is not sent by whoever has not seen it.
    if (found === 'replace' && wanted?.kind !== 'send') return replace(theirs)
    wish.value = undefined
    attempt.value = undefined
    if (found === 'replace') replace(theirs)
    else conflict.value = theirs
    keepNow()
    denied(wanted, new Error(CHANGED_ELSEWHERE))
  }

  function keepNow(): void {
    if (isAtRest.peek()) keeper.forget(id)
    else keeper.keep(known.keptAt(clock.date()))
  }

  /** What is wanted now is asked for now, whatever was refused before. */
  function want(what: Wish): Promise<void> {
    granted()
    asked = Promise.withResolvers()
    const { promise } = asked
    wish.value = what
    isBlocked = false
    keepNow()
    turns.nudge()
    return promise
  }

  async function flush(): Promise<void> {
    isUrgent = true
    await turns.run()
    isUrgent = false
  }

  const self: CreatedDraft = {
    id,
    ...shownOf(known),
    state: computed(() => stateOf(facts.value, turns.away.value !== undefined, isSaving.value)),
    away: turns.away,
    isRecovered,
    flush,
    meet,

    change(part) {
      const next = { ...mine.peek(), ...part }
      if (sameContent(next, mine.peek())) return
      mine.value = next
      latestChange = clock.now()
      firstChange ??= latestChange
      isBlocked = false
      keepNow()
      turns.schedule()
    },

    attach(attachment) {
      known.remember([attachment])
      self.change({ attachmentIds: [...new Set([...mine.peek().attachmentIds, attachment.id])] })
    },

    async settle(choice) {
      const theirs = conflict.peek()
      if (!theirs && !end.peek()) return
      if (choice === 'both' || (choice === 'mine' && !theirs)) {
        await parts.copy(mine.peek(), [...known.files.peek().values()])
      }
      conflict.value = undefined
      if (!theirs) {
        mine.value = known.base()
        keepNow()
      } else if (choice === 'mine') {
        stored.value = theirs
        if (theirs.due) await want({ kind: 'take_back' })
        await flush()
      } else replace(theirs)
    },

    async send(sendAt) {
      if (asked && wish.peek()?.kind === 'send') return asked.promise
      if (conflict.peek()) throw new Error(CHANGED_ELSEWHERE)
      if (end.peek() === 'discarded') throw new Error(GONE)
      if (end.peek() || stored.peek()?.due) return
      await want({ kind: 'send', sendAt: sendAt?.toISOString() ?? null, isQueued: false, isInDoubt: false })
    },

    async takeBack() {
      if (end.peek() === 'sent') throw new Error(SENT_ALREADY)
      const wanted = wish.peek()
      if (wanted?.kind === 'send' && !wanted.isInDoubt) {
        wish.value = undefined
        keepNow()
        granted()
      } else if (wanted || stored.peek()?.due) await want({ kind: 'take_back' })
    },

    async discard() {
      if (end.peek()) return
      conflict.value = undefined
      await want({ kind: 'discard' })
    },

    hear(word) {
      if (end.peek()) return
      const isClean = isAtRest.peek() && !turns.isRunning()
      if (word.kind === 'gone') {
        if (isClean) end.value = word.how
        else void flush()
        return
      }
      const { draft } = word
      if (draft.version < (stored.peek()?.version ?? 0)) return
      if (conflict.peek()) conflict.value = draft
      else if (isClean && sameContent(draft, mine.peek())) stored.value = draft
      else if (isClean) replace(draft)
    },

    nudge: turns.nudge,
    stop: turns.stop,
    close: () => void flush(),
  }

  turns.schedule()
  return self
}
