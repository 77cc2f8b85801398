// What is kept of a try to submit a message: what was said of whom. Pure.
import type { Uuid } from '../lib/uuid.ts'
import type { RecipientOutcome, RecipientReply } from './decide-outcome.ts'

export const TRY_OUTCOMES = ['sent', 'deferred', 'failed'] as const

/** What was said at one try, and to which recipients: alike to all of them. */
export interface TryAnswer {
  /** Their places in the message's state. */
  positions: number[]
  outcome: (typeof TRY_OUTCOMES)[number]
  smtpCode: number | null
  /** Enhanced status code (RFC 3463). */
  enhancedCode: string | null
  text: string | null
}

/** A try as it is recorded. */
export interface SubmissionTry {
  tenantId: Uuid
  messageId: Uuid
  /** What the relay made of it, or what kept it from the relay. */
  result: string
  answers: TryAnswer[]
  /** Null when no other follows. */
  nextAttemptInMs: number | null
}

/** The recipients by what was said, in the order of the first of each. The first outcome of a recipient is the relay's own. */
export function answersOfTry(outcomes: readonly RecipientOutcome[], deferrals: readonly RecipientReply[]): TryAnswer[] {
  const first = new Map<number, RecipientReply & { outcome: TryAnswer['outcome'] }>()
  for (const outcome of outcomes) {
    if (first.has(outcome.position)) continue
    first.set(outcome.position, { ...outcome, outcome: outcome.status === 'sent' ? 'sent' : 'failed' })
  }
  for (const deferral of deferrals) first.set(deferral.position, { ...deferral, outcome: 'deferred' })

  const alike = new Map<string, TryAnswer>()
  const inOrder = [...first.values()].sort((one, other) => one.position - other.position)
  for (const { position, outcome, smtpCode, enhancedCode, diagnostic: text } of inOrder) {
    const said = { outcome, smtpCode, enhancedCode, text }
    const key = JSON.stringify(said)
    const answer = alike.get(key)
    if (answer) answer.positions.push(position)
    else alike.set(key, { positions: [position], ...said })
  }
  return [...alike.values()]
}

/** Whether a try leaves a row. Of a first one that went through for everybody the message's state and event say all. */
export function isKept(answers: readonly TryAnswer[], isFirst: boolean): boolean {
  return !isFirst || answers.some(({ outcome }) => outcome !== 'sent')
}
