// The lists that the page has shown lately, each as it was left.
import { read } from '../../ui/request.ts'
import { hrefOf, type Place, withQuery } from '../place.ts'
import type { Page } from '../shapes.ts'
import { createListStore, type ListStore } from './list-store.ts'

const MOST_STORES = 6

export interface StoreOf {
  place: Place
  store: ListStore
}

/** By address; what was shown last is last. */
const stores = new Map<string, StoreOf>()

export function storeOf(place: Place): ListStore {
  const href = hrefOf(place)
  const kept = stores.get(href) ?? { place, store: createListStore((cursor) => fetchPage(place, cursor)) }
  stores.delete(href)
  stores.set(href, kept)
  for (const [oldest] of stores) {
    if (stores.size <= MOST_STORES) break
    stores.delete(oldest)
  }
  return kept.store
}

export const allStores = (): readonly StoreOf[] => [...stores.values()]

/** Whatever shows is fetched again; what does not, when it is shown. */
export function listsChanged(): void {
  for (const { store } of stores.values()) store.changed()
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()

function fetchPage({ list, q, mailbox }: Place, cursor: string | null): Promise<Page> {
  const asked = { mailbox, cursor: cursor ?? undefined }
  if (list !== 'search') return read(withQuery('/data/messages', { folder: list, ...asked }))
  return read(withQuery('/data/search', { q, timeZone, ...asked }))
}

/** What the user may see is not what it was: nothing that was fetched before is shown any more. */
export function forgetLists(): void {
  for (const { store } of stores.values()) store.forget()
}
