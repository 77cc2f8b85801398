// What became of a draft that was to be sent: a draft has no events, so it is looked at until it is a message, of
// which the log tells, or open again. Pure but for what it is given.
import type { Draft } from '../../../src/servers/webmail/draft-schemas.ts'
import { Refusal } from '../../ui/request.ts'

/** Behind its time, so long until it is looked at first; then twice as long each time. */
const FIRST_LOOK_MS = 600
const LONGEST_WAIT_MS = 15_000
/** What takes longer shows in the list of drafts. */
const MOST_LOOKS = 30

export type Outcome =
  | { kind: 'sent' }
  | { kind: 'failed'; failure: NonNullable<Draft['failure']> }
  /** It was taken back, or is on its way for longer than is waited for. */
  | { kind: 'open' }

interface Looking {
  /** @throws Refusal: 404 when there is no such draft */
  read(): Promise<Draft>
  wasSent(): Promise<boolean>
  /** So long at most. Gives whether the log has said that it is a message. */
  wait(ms: number): Promise<boolean>
}

/** `leftMs`: until it is due. Never throws. */
export async function followSending({ read, wasSent, wait }: Looking, leftMs: number): Promise<Outcome> {
  if (await wait(leftMs + FIRST_LOOK_MS)) return { kind: 'sent' }
  for (let look = 1; look <= MOST_LOOKS; look++) {
    try {
      const { due, failure } = await read()
      if (!due) return failure ? { kind: 'failed', failure } : { kind: 'open' }
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) {
        const isSent = await wasSent().catch(() => undefined)
        if (isSent !== undefined) return { kind: isSent ? 'sent' : 'open' }
      }
    }
    if (await wait(Math.min(FIRST_LOOK_MS * 2 ** (look - 1), LONGEST_WAIT_MS))) return { kind: 'sent' }
  }
  return { kind: 'open' }
}
