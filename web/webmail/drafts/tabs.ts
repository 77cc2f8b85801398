// The tabs of one user in a browser: which are there, and what they tell each other.
import type { TabWord } from './draft-parts.ts'

const HELD_BY = 'draft-tab-'

/** This page. What it keeps is its own as long as it is there. */
export const tabId: string = crypto.randomUUID()

let held: Promise<void> | undefined

/** Lets the others know that this tab is there, until it ends, however it ends. */
export function beThere(): Promise<void> {
  held ??= new Promise((resolve) => {
    void navigator.locks.request(`${HELD_BY}${tabId}`, () => {
      resolve()
      return new Promise(() => {})
    })
  })
  return held
}

/** Gives whether a tab is there now. */
export async function whoIsThere(): Promise<(tabId: string) => boolean> {
  const { held: locks = [] } = await navigator.locks.query()
  const names = new Set(locks.map(({ name }) => name))
  return (id) => names.has(`${HELD_BY}${id}`)
}

export interface Tabs {
  tell(word: TabWord): void
}

export function tabsOf(userId: string, hear: (word: TabWord) => void): Tabs {
  const channel = new BroadcastChannel(`drafts-${userId}`)
  channel.onmessage = ({ data }: MessageEvent<TabWord>) => hear(data)
  return { tell: (word) => channel.postMessage(word) }
}
