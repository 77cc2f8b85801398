// What an open draft is, and what it is made with, so that it can be tried without a browser.
import type { ReadonlySignal } from '@preact/signals'
import type {
  Draft,
  DraftAttachment,
  DraftContent,
  DueDraft,
  SaveDraft,
  SendDraft,
} from '../../../src/servers/webmail/draft-schemas.ts'

/** What was asked for and is not answered yet. `isInDoubt`: it was asked, and the answer did not come. */
export type Wish =
  | { kind: 'send'; sendAt: string | null; isQueued: boolean; isInDoubt: boolean }
  | { kind: 'take_back' }
  | { kind: 'discard' }

/** What the browser keeps of a draft that is not as the server has it. */
export interface Kept {
  draftId: string
  keptAtMs: number
  /** As the server had it; null: not at all yet. */
  stored: Draft | null
  /** Where it began, of one that the server does not have. */
  initial: DraftContent
  content: DraftContent
  /** A save of it was not answered. */
  attempt: DraftContent | null
  attachments: readonly DraftAttachment[]
  wish: Wish | null
}

/** Its data operations. Each throws a Refusal; one of status 0 was not answered. */
export interface DraftServer {
  read(id: string): Promise<Draft>
  save(id: string, draft: SaveDraft): Promise<Draft>
  send(id: string, how: SendDraft): Promise<DueDraft>
  takeBack(id: string): Promise<Draft>
  discard(id: string): Promise<void>
  /** Whether there is such a message. */
  wasSent(messageId: string): Promise<boolean>
}

export interface Keeper {
  keep(kept: Kept): void
  forget(draftId: string): void
  /** Once all of that has been done. */
  done(): Promise<void>
}

/** What tabs of a browser tell each other. */
export type TabWord = { kind: 'saved'; draft: Draft } | { kind: 'gone'; id: string; how: DraftEnd }

export interface Clock {
  /** Only ever goes on, in ms from anywhere: what a browser is told of the time of day changes nothing of what waits. */
  now(): number
  /** By the clock on the wall, in ms since 1970. */
  date(): number
  random(): number
  /** Gives what calls it off. */
  after(ms: number, act: () => void): () => void
}

export interface DraftParts {
  server: DraftServer
  keeper: Keeper
  clock: Clock
  tell(word: TabWord): void
  /** Makes a draft of its own of what would be lost, and has it kept. */
  copy(content: DraftContent, attachments: readonly DraftAttachment[]): Promise<void>
  /** As it was last: so it can be had again. */
  onDiscarded(content: DraftContent, attachments: readonly DraftAttachment[]): void
  /** It will be sent. `untilMs`: so long it can surely be taken back, by `Clock.now`. `isLate`: the time that was chosen has come. */
  onDue(draft: OpenDraft, untilMs: number, isLate: boolean): void
  /** It will be sent as soon as the server can be reached. */
  onQueued(draft: OpenDraft): void
  /** A file that it had is no longer on the server. `why` names it. */
  onFileGone(draft: OpenDraft, why: Error): void
  /** What was asked for earlier, while the server was away, it refused. */
  onRefused(draft: OpenDraft, why: Error): void
}

/** What became of a draft that is no longer one. */
export type DraftEnd = 'sent' | 'discarded'

/** Why what was asked is asked again by itself. */
export interface Away {
  /** `busy`: it answered that it could not; `limited`: that too much was asked of it. */
  kind: 'unreachable' | 'busy' | 'limited'
  /** From when it was known. */
  retryInSeconds: number
}

export type DraftState = 'saved' | 'changed' | 'saving' | 'offline' | 'conflict' | 'due' | 'gone'

/** A draft while somebody writes it. */
export interface OpenDraft {
  readonly id: string
  /** Undefined until it was saved once. */
  readonly messageId: ReadonlySignal<string | undefined>
  readonly content: ReadonlySignal<DraftContent>
  readonly attachments: ReadonlySignal<readonly DraftAttachment[]>
  readonly state: ReadonlySignal<DraftState>
  readonly savedAt: ReadonlySignal<string | undefined>
  /** What somebody else made of it meanwhile. */
  readonly conflict: ReadonlySignal<Draft | undefined>
  /** Why it was not sent when it was due. */
  readonly failure: ReadonlySignal<Draft['failure']>
  /** When it is sent. */
  readonly due: ReadonlySignal<Draft['due']>
  /** It is to be sent as soon as the server can be reached. */
  readonly queued: ReadonlySignal<{ sendAt: string | null } | undefined>
  /** Why what is to be done for it waits. */
  readonly away: ReadonlySignal<Away | undefined>
  /** Why it was not saved; a Refusal names fields. */
  readonly fault: ReadonlySignal<Error | undefined>
  /** Of a draft that is gone: what became of it. */
  readonly end: ReadonlySignal<DraftEnd | undefined>
  /** Counts how often the content was replaced by another than was given to `change`. */
  readonly replaced: ReadonlySignal<number>
  /** It has changes that an earlier page of this browser did not save. */
  readonly isRecovered: boolean
  /** Nothing of it is unsaved, asked for or to be chosen. */
  readonly isAtRest: ReadonlySignal<boolean>
  change(part: Partial<DraftContent>): void
  /** Adds a file that was uploaded. What is no longer among `attachmentIds` is taken away. */
  attach(attachment: DraftAttachment): void
  /** Of a conflict, or of a draft that is gone: then `mine` makes a new one. */
  settle(choice: 'mine' | 'theirs' | 'both'): Promise<void>
  /** Is done when it is due, or waits for the server. @throws Refusal, whose faults name fields */
  send(sendAt?: Date): Promise<void>
  /** Also of what waits for the server. @throws Error when it was sent already */
  takeBack(): Promise<void>
  /** @throws Refusal */
  discard(): Promise<void>
  /** Saves what is unsaved now, as far as the server can be reached. */
  flush(): Promise<void>
  close(): void
}
