// What a draft is said to be, what is asked for next, and whose text is shown. Pure.
import type { Draft, DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import { sameContent } from './draft-content.ts'
import type { DraftEnd, DraftState, Wish } from './draft-parts.ts'

/** What is to be asked of the server next. */
export type Step = 'save' | 'send' | 'take_back' | 'discard'

export interface Facts {
  end: DraftEnd | undefined
  hasConflict: boolean
  /** As the server has it. */
  stored: Draft | undefined
  isUnsaved: boolean
  /** A save is under way, or was not answered. */
  isAttempted: boolean
  wish: Wish | undefined
  /** It was refused, and nothing has changed since. */
  isBlocked: boolean
}

export function nextStep({
  end,
  hasConflict,
  stored,
  isUnsaved,
  isAttempted,
  wish,
  isBlocked,
}: Facts): Step | undefined {
  if (end || hasConflict || isBlocked) return undefined
  if (wish?.kind === 'discard' || wish?.kind === 'take_back') return wish.kind
  if (stored?.due) return undefined
  if (isAttempted || isUnsaved || (wish && !stored)) return 'save'
  return wish?.kind
}

export function stateOf(facts: Omit<Facts, 'isBlocked'>, isAway: boolean, isSaving: boolean): DraftState {
  const isAtRest = !facts.isUnsaved && !facts.isAttempted && !facts.wish
  if (facts.end) return 'gone'
  if (facts.hasConflict) return 'conflict'
  if (facts.stored?.due) return 'due'
  if (isAway && !isAtRest) return 'offline'
  if (isSaving) return 'saving'
  return isAtRest ? 'saved' : 'changed'
}

interface Texts {
  theirs: Draft
  mine: DraftContent
  /** What was saved last, and what may have been. */
  stored: Draft | undefined
  attempt: DraftContent | undefined
}

/**
 * What becomes of what the server has. `follow`: it is known here, and what is written goes on from it. `replace`: nothing is
 * written here that it lacks. `choose`: both have something that the other lacks.
 */
export function compare({ theirs, mine, stored, attempt }: Texts): 'follow' | 'replace' | 'choose' {
  if (sameContent(theirs, mine)) return 'follow'
  const isKnown = [attempt, stored].some((ours) => ours && sameContent(theirs, ours))
  const isUnsaved = attempt !== undefined || stored === undefined || !sameContent(mine, stored)
  // What is sent as it is would be sent without what is written here.
  if (isKnown) return theirs.due && isUnsaved ? 'choose' : 'follow'
  return isUnsaved ? 'choose' : 'replace'
}
