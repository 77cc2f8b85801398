// What is fetched, kept once for all that show it, and fetched again when it has changed.
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/query-core'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { forgetUnused } from './forget-unused.ts'
import { Refusal, read } from './request.ts'

/** What nobody said to have changed is taken for fresh so long. */
const FRESH_MS = 10_000
/** What nothing shows any more, for whoever comes back to it. */
const MOST_UNUSED = 60

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      queryFn: ({ queryKey, signal }) => read(queryKey[0] as string, signal),
      // What was refused is refused again; what was not reached may be the next time.
      retry: (failures, error) =>
        failures < 2 && error instanceof Refusal && (error.status === 0 || error.status >= 500),
    },
  },
})

forgetUnused(queries, MOST_UNUSED)

export interface Query<T> {
  /** Undefined until the first has come. */
  data: T | undefined
  /** Why the last could not be had. */
  fault: Error | null
  again(): void
}

/** How long until it is asked for again by itself, in ms, judged by what there is of it; false: not at all. Not while it is out of sight. */
type LookAgain<T> = (shown: T | undefined) => number | false

/** What a path gives, and whatever it gives later; nothing while there is no path. */
export function useQuery<T>(path: string | undefined, lookAgain: LookAgain<T> = () => false): Query<T> {
  const observer = useMemo(() => {
    return new QueryObserver<T>(queries, {
      queryKey: [path],
      enabled: path !== undefined,
      refetchInterval: ({ state }) => lookAgain(state.data),
    })
  }, [path])
  const result = useResult(observer)
  return { data: result.data, fault: result.error, again: () => void observer.refetch() }
}

interface Observer<R> {
  getCurrentResult(): R
  subscribe(listener: (result: R) => void): () => void
}

/** What it has now, and whatever it has later; never what another has that stood in its place before. */
function useResult<R>(observer: Observer<R>): R {
  const [latest, setLatest] = useState(() => ({ observer, result: observer.getCurrentResult() }))
  useEffect(() => {
    const show = (result: R) => setLatest({ observer, result })
    show(observer.getCurrentResult())
    return observer.subscribe(show)
  }, [observer])
  return latest.observer === observer ? latest.result : observer.getCurrentResult()
}

/** A page of a list, as the server gives it. */
export interface Listed<T> {
  items: T[]
  nextCursor: string | null
}

export interface Pages<T> {
  /** What was asked for. */
  path: string
  /** Of all pages so far; undefined until the first has come. */
  items: readonly T[] | undefined
  /** They are still those of other filters. */
  isFormer: boolean
  fault: Error | null
  again(): void
  /** Fetches the next page; undefined when there is none. */
  more: (() => void) | undefined
  isFetchingMore: boolean
}

/**
 * A list, page by page. When it has changed all pages that are shown are fetched anew, each from where the one before it ends.
 * When it is narrowed otherwise, what was shown stays until there is something else to show.
 */
export function usePages<T>(path: string, lookAgain: LookAgain<readonly T[]> = () => false): Pages<T> {
  const observer = useMemo(
    () =>
      new InfiniteQueryObserver<Listed<T>, Error, { pages: Listed<T>[] }, [string], string | null>(queries, {
        queryKey: [path],
        queryFn: ({ pageParam, signal }) => read(pageParam === null ? path : withCursor(path, pageParam), signal),
        initialPageParam: null,
        getNextPageParam: ({ nextCursor }) => nextCursor,
        refetchInterval: ({ state }) => lookAgain(state.data?.pages.flatMap(({ items }) => items)),
      }),
    [path],
  )
  const result = useResult(observer)
  const fresh = useMemo(() => result.data?.pages.flatMap(({ items }) => items), [result.data])
  const former = useRef<{ list: string | undefined; items: readonly T[] }>({ list: undefined, items: [] })
  const [list] = path.split('?')
  if (fresh) former.current = { list, items: fresh }
  const isFormer =
    fresh === undefined && result.error === null && former.current.list === list && former.current.items.length > 0
  return {
    path,
    items: isFormer ? former.current.items : fresh,
    isFormer,
    fault: result.error,
    again: () => void observer.refetch(),
    more: result.hasNextPage ? () => void observer.fetchNextPage() : undefined,
    isFetchingMore: result.isFetchingNextPage,
  }
}

const withCursor = (path: string, cursor: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`

/** Has a path's answer there for what shows it first. What cannot be had is left to whoever shows it. */
export function fetchAhead(path: string): Promise<void> {
  return queries.prefetchQuery({ queryKey: [path], retry: false })
}

/** Has everything fetched again whose path begins so, now where it shows and later where it does not. */
export function changed(prefix: string): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith(prefix) })
}
