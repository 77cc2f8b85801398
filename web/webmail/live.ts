// What is new, as the lists and counts show it: within a moment, and however much happens at once with few requests.
import type { ChangeData } from '../../src/servers/sessions/changes-text.ts'
import { inTurn } from '../ui/in-turn.ts'
import { changed } from '../ui/query.ts'
import { countsChanged } from './actions.ts'
import { listsChanged } from './list/stores.ts'
import { notifyOf } from './notify.ts'
import { tellQueuedNews } from './queued-news.ts'

/**
 * Between one fetching and the next; longer while more and more happens, and never so long that a new mail shows after more than a
 * second. Four tabs, each with a list, counts and a conversation, so ask no more than a session may.
 */
const REST_MS = 250
const LONGEST_REST_MS = 600

let restMs = REST_MS
let restedAt = Number.NEGATIVE_INFINITY

const fetchAgain = inTurn(
  async () => {
    listsChanged()
    countsChanged()
    await changed('/data/conversations/')
  },
  async () => {
    const isBusy = performance.now() - restedAt < LONGEST_REST_MS
    restMs = isBusy ? Math.min(restMs * 2, LONGEST_REST_MS) : REST_MS
    await new Promise((resolve) => setTimeout(resolve, restMs))
    restedAt = performance.now()
  },
)

export function mailChanged(change: ChangeData): void {
  fetchAgain()
  tellQueuedNews(change)
  if (change.type === 'message.received') notifyOf(change.id)
}
