// What is known of an open draft, as signals, and as the browser keeps it.
import { computed, signal } from '@preact/signals'
import type { Draft, DraftAttachment, DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import { sameContent } from './draft-content.ts'
import type { DraftEnd, Kept, Wish } from './draft-parts.ts'

export type DraftSignals = ReturnType<typeof signalsOf>

export function signalsOf(kept: Kept) {
  const stored = signal<Draft | undefined>(kept.stored ?? undefined)
  const mine = signal<DraftContent>(kept.content)
  const files = signal<ReadonlyMap<string, DraftAttachment>>(new Map(kept.attachments.map((each) => [each.id, each])))
  const attempt = signal<DraftContent | undefined>(kept.attempt ?? undefined)
  const wish = signal<Wish | undefined>(kept.wish ?? undefined)
  const conflict = signal<Draft | undefined>(undefined)
  const end = signal<DraftEnd | undefined>(undefined)
  const isUnsaved = computed(() => !sameContent(mine.value, stored.value ?? kept.initial))
  return {
    /** As the server has it. */
    stored,
    /** As it is written here. */
    mine,
    /** Every file that it has or had. */
    files,
    /** What a save that is under way, or was not answered, says. */
    attempt,
    wish,
    conflict,
    end,
    fault: signal<Error | undefined>(undefined),
    replaced: signal(0),
    isSaving: signal(false),
    facts: computed(() => ({
      end: end.value,
      hasConflict: conflict.value !== undefined,
      stored: stored.value,
      isUnsaved: isUnsaved.value,
      isAttempted: attempt.value !== undefined,
      wish: wish.value,
    })),
    isAtRest: computed(() => !isUnsaved.value && !attempt.value && !wish.value && !conflict.value),

    /** What the server has of it, or where it began. */
    base: (): DraftContent => stored.peek() ?? kept.initial,

    remember(attachments: readonly DraftAttachment[]): void {
      files.value = new Map([...files.peek(), ...attachments.map((each) => [each.id, each] as const)])
    },

    keptAt: (keptAtMs: number): Kept => ({
      draftId: kept.draftId,
      keptAtMs,
      stored: stored.peek() ?? null,
      initial: kept.initial,
      content: mine.peek(),
      attempt: attempt.peek() ?? null,
      attachments: [...files.peek().values()],
      wish: wish.peek() ?? null,
    }),
  }
}

/** The signals that whoever writes may read. */
export function shownOf({ stored, mine, files, wish, conflict, end, fault, replaced, isAtRest }: DraftSignals) {
  return {
    messageId: computed(() => stored.value?.messageId),
    content: mine,
    attachments: computed(() =>
      mine.value.attachmentIds.map((each) => files.value.get(each)).filter((each) => each !== undefined),
    ),
    savedAt: computed(() => stored.value?.savedAt),
    failure: computed(() => stored.value?.failure ?? null),
    due: computed(() => stored.value?.due ?? null),
    queued: computed(() =>
      wish.value?.kind === 'send' && wish.value.isQueued ? { sendAt: wish.value.sendAt } : undefined,
    ),
    ...{ conflict, end, fault, replaced, isAtRest },
  }
}
