// What is chosen in a list, by key. Pure.

export type Chosen = ReadonlySet<string>

export const NONE: Chosen = new Set()

export function toggle(chosen: Chosen, key: string): Chosen {
  const next = new Set(chosen)
  if (!next.delete(key)) next.add(key)
  return next
}

/** All from one to another, as they stand, become what the last of them becomes. */
export function toggleTo(chosen: Chosen, keys: readonly string[], from: string | undefined, to: string): Chosen {
  const [start, end] = [from === undefined ? -1 : keys.indexOf(from), keys.indexOf(to)]
  if (start < 0 || end < 0) return toggle(chosen, to)
  const next = new Set(chosen)
  const isOn = !chosen.has(to)
  for (const key of keys.slice(Math.min(start, end), Math.max(start, end) + 1)) {
    if (isOn) next.add(key)
    else next.delete(key)
  }
  return next
}

/** How many of those that show are chosen: what has gone meanwhile is not acted on. */
export const chosenAmong = (chosen: Chosen, keys: readonly string[]): string[] => keys.filter((key) => chosen.has(key))

export type Extent = 'none' | 'some' | 'all'

export function extentOf(count: number, all: number): Extent {
  if (count === 0) return 'none'
  return count === all ? 'all' : 'some'
}
