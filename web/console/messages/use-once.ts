// What is fetched when it is opened and not again by itself: each time leaves a record.
import { useEffect, useState } from 'preact/hooks'
import type { Query } from '../../ui/query.ts'
import { read } from '../../ui/request.ts'

export function useOnce<T>(path: string): Query<T> {
  const [data, setData] = useState<T>()
  const [fault, setFault] = useState<Error | null>(null)
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    const stop = new AbortController()
    setFault(null)
    read<T>(path, stop.signal).then(setData, (error: Error) => {
      if (!stop.signal.aborted) setFault(error)
    })
    return () => stop.abort()
  }, [path, asked])
  return { data, fault, again: () => setAsked(asked + 1) }
}
