// Writes many small things together: while one write is on its way the next items gather, and go with it done. A
// lone item waits for nothing, and what is large keeps nobody else waiting. Knows nothing of what is written.
import { inTurns, type Most, turnOfOne } from './fair-turns.ts'
import { isUnavailable, ranOutOfTime } from './sql.ts'

export interface Group<Item, Result> {
  /** Hands in one item; resolves with its own result. @throws whatever its write failed with */
  add(item: Item): Promise<Result>
  /**
   * Resolves when nothing is gathered and nothing on its way. From its call on a write that runs out of time is not made
   * again: all that waits fails with it.
   */
  drain(): Promise<void>
}

export interface GroupOptions<Item, Result> {
  /** Writes the items and gives their results in the same order. */
  write(items: Item[]): Promise<Result[]>
  maxItems: number
  /** What the items of one write may weigh together; one that weighs more goes alone. */
  maxWeight?: number
  weightOf?(item: Item): number
  /**
   * What weighs more is heavy: it goes apart from the light, one owner's at a time, and leaves one of the writes that may be
   * on their way to the light ones of others.
   */
  heavyWeight?: number
  /** Whose an item is: owners take turns where not all go together, and are parted when a write fails. */
  ownerOf?(item: Item): string
  /** How many writes may be on their way at once. */
  inFlight: number
}

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** How often a group that lost a deadlock or a serialization conflict is written again. */
const MOST_CONFLICTS = 5
/** Parts of a write that ran out of time that are written at once: a slow one keeps no other from being written. */
const PARTS_AT_ONCE = 4
/** So many of them that ran out of time say that the database is slow: with the whole, three times what a write may take. */
const MOST_OUT_OF_TIME = 2 * PARTS_AT_ONCE

export function createGroup<Item, Result>(options: GroupOptions<Item, Result>): Group<Item, Result> {
  const { ownerOf = () => '', weightOf = () => 0, heavyWeight = Number.POSITIVE_INFINITY, inFlight } = options
  type Entry = Waiting<Item, Result>
  const ownerOfEntry = ({ item }: Entry) => ownerOf(item)
  const isHeavy = ({ item }: Entry) => weightOf(item) > heavyWeight
  const most: Most<Entry> = {
    items: options.maxItems,
    weight: options.maxWeight ?? Number.POSITIVE_INFINITY,
    weightOf: ({ item }) => weightOf(item),
  }
  const mostHeavyWrites = Math.max(1, inFlight - 1)
  let light: Entry[] = []
  let heavy: Entry[] = []
  /** Whose heavy writes are on their way. What else is theirs would wait for them in the database, with its neighbours. */
  const heavyOwners: string[] = []
  let lastHeavyOwner: string | undefined
  let wasHeavy = false
  let writing = 0
  let isWoken = false
  let isDraining = false
  let idle: (() => void)[] = []

  /** Items that are handed in within one turn of the event loop go together. */
  function wake(): void {
    isWoken = true
    queueMicrotask(() => {
      isWoken = false
      writeNext()
    })
  }

  function writeNext(): void {
    while (writing < inFlight) {
      const mayBeHeavy = heavyOwners.length < mostHeavyWrites
      const group = (mayBeHeavy && !wasHeavy && takeHeavy()) || takeLight() || (mayBeHeavy && takeHeavy())
      if (!group) return
      void write(group)
    }
  }

  function takeLight(): Entry[] | undefined {
    const group = inTurns(withoutHeavyOwners(light), most, ownerOfEntry)
    light = without(light, group)
    return group.length > 0 ? group : undefined
  }

  function takeHeavy(): Entry[] | undefined {
    const group = turnOfOne(withoutHeavyOwners(heavy), most, lastHeavyOwner, ownerOfEntry)
    heavy = without(heavy, group)
    return group.length > 0 ? group : undefined
  }

  function withoutHeavyOwners(entries: Entry[]): Entry[] {
    return heavyOwners.length === 0 ? entries : entries.filter((entry) => !heavyOwners.includes(ownerOfEntry(entry)))
  }

  async function write(group: Entry[]): Promise<void> {
    const first = group[0] as Entry
    const owner = ownerOfEntry(first)
    wasHeavy = isHeavy(first)
    if (wasHeavy) {
      heavyOwners.push(owner)
      lastHeavyOwner = owner
    }
    writing += 1
    await writeAll(group)
    writing -= 1
    if (isHeavy(first)) heavyOwners.splice(heavyOwners.indexOf(owner), 1)
    writeNext()
    if (writing > 0) return
    for (const resolve of idle) resolve()
    idle = []
  }

  /**
   * One item that is bad, or takes too long, must not fail its neighbours: a write that fails is made again in parts.
   * A database that is away fails everyone alike.
   */
  async function writeAll(group: Entry[]): Promise<void> {
    const parts: Entry[][] = []
    let outOfTime = 0

    async function writePart(part: Entry[]): Promise<unknown> {
      try {
        const results = await writeUndisturbed(part.map(({ item }) => item))
        for (const [i, { resolve }] of part.entries()) resolve(results[i] as Result)
        return undefined
      } catch (error) {
        if (isOver(error)) giveUp([part, ...parts.splice(0)].flat(), error)
        else if (part.length > 1) parts.push(...inParts(part))
        else giveUp(part, error)
        return error
      }
    }

    function isOver(error: unknown): boolean {
      if (!ranOutOfTime(error)) return isUnavailable(error)
      outOfTime += 1
      if (isDraining) giveUp([...light.splice(0), ...heavy.splice(0)], error)
      return isDraining || outOfTime > MOST_OUT_OF_TIME
    }

    const error = await writePart(group)
    const writeParts = async () => {
      for (let part = parts.shift(); part; part = parts.shift()) await writePart(part)
    }
    await Promise.all(Array.from({ length: ranOutOfTime(error) ? PARTS_AT_ONCE : 1 }, writeParts))
  }

  function giveUp(entries: Entry[], error: unknown): void {
    for (const { reject } of entries) reject(error)
  }

  /** By owner, the fewest items first, for they are the least likely cause; one owner's one by one. */
  function inParts(group: Entry[]): Entry[][] {
    const byOwner = Map.groupBy(group, ({ item }) => ownerOf(item))
    if (byOwner.size === 1) return group.map((waiting) => [waiting])
    return [...byOwner.values()].sort((a, b) => a.length - b.length)
  }

  async function writeUndisturbed(items: Item[]): Promise<Result[]> {
    for (let conflicts = 0; ; conflicts++) {
      try {
        return await options.write(items)
      } catch (error) {
        if (!isConflict(error) || conflicts === MOST_CONFLICTS) throw error
      }
    }
  }

  return {
    add(item) {
      return new Promise<Result>((resolve, reject) => {
        const entry = { item, resolve, reject }
        if (isHeavy(entry)) heavy.push(entry)
        else light.push(entry)
        if (!isWoken && writing < inFlight) wake()
      })
    },
    drain() {
      isDraining = true
      if (writing === 0 && light.length + heavy.length === 0) return Promise.resolve()
      return new Promise<void>((resolve) => idle.push(resolve))
    },
  }
}

/** The entries that are not among those taken. */
function without<Entry>(entries: Entry[], taken: readonly Entry[]): Entry[] {
  if (taken.length === entries.length) return []
  if (taken.length === 0) return entries
  const gone = new Set(taken)
  return entries.filter((entry) => !gone.has(entry))
}

/** Deadlock and serialization failure (PostgreSQL, Appendix A): nothing was written, and the same may succeed now. */
function isConflict(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40P01' || code === '40001'
}
