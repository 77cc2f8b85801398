// Several tabs may have left the same draft. Pure but for new ids.
import { sameContent } from './draft-content.ts'
import type { Kept } from './draft-parts.ts'

/** The newest of each draft as it is; of the others each that says something else becomes a draft of its own. Newest first. */
export function apart(left: readonly Kept[]): Kept[] {
  const first = new Map<string, Kept>()
  return left.flatMap((kept) => {
    const newest = first.get(kept.draftId)
    first.set(kept.draftId, newest ?? kept)
    if (!newest) return [kept]
    const isKnown = [newest.content, kept.stored ?? kept.initial].some((each) => sameContent(each, kept.content))
    return isKnown ? [] : [{ ...kept, draftId: crypto.randomUUID(), stored: null, attempt: null, wish: null }]
  })
}
