// Writes many small things together: while one write is on its way the next items gather, and go with it done. A
// lone item waits for nothing. Knows nothing of what is written.
import { isUnavailable, ranOutOfTime } from './sql.ts'

export interface Group<Item, Result> {
  /** Hands in one item; resolves with its own result. @throws whatever its write failed with */
  add(item: Item): Promise<Result>
  /** Resolves when nothing is gathered and nothing on its way. */
  drain(): Promise<void>
}

export interface GroupOptions<Item, Result> {
  /** Writes the items and gives their results in the same order. */
  write(items: Item[]): Promise<Result[]>
  maxItems: number
  /** What the items of one write may weigh together; one that weighs more goes alone. */
  maxWeight?: number
  weightOf?(item: Item): number
  /** Whose an item is, so that owners can be parted when a write fails. */
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
/** So many writes in a row that ran out of time say that the database is slow, and not what is written. */
const MOST_OUT_OF_TIME = 3

export function createGroup<Item, Result>(options: GroupOptions<Item, Result>): Group<Item, Result> {
  const { maxItems, maxWeight = Number.POSITIVE_INFINITY, weightOf = () => 0, ownerOf = () => '' } = options
  let gathered: Waiting<Item, Result>[] = []
  let writing = 0
  let idle: (() => void)[] = []

  function writeNext(): void {
    while (writing < options.inFlight && gathered.length > 0) {
      const group = takeGroup()
      writing += 1
      void writeAll(group).finally(() => {
        writing -= 1
        writeNext()
        if (writing === 0 && gathered.length === 0) {
          for (const resolve of idle) resolve()
          idle = []
        }
      })
    }
  }

  /** As many as fit, and one at least. */
  function takeGroup(): Waiting<Item, Result>[] {
    let weight = 0
    let count = 0
    for (const { item } of gathered) {
      weight += weightOf(item)
      if (count > 0 && (count === maxItems || weight > maxWeight)) break
      count += 1
    }
    const group = gathered.slice(0, count)
    gathered = gathered.slice(count)
    return group
  }

  /**
   * One item that is bad, or takes too long, must not fail its neighbours: a write that fails is made again in parts.
   * A database that is away fails everyone alike.
   */
  async function writeAll(group: Waiting<Item, Result>[]): Promise<void> {
    const parts = [group]
    let outOfTime = 0
    for (let part = parts.shift(); part; part = parts.shift()) {
      try {
        const results = await writeUndisturbed(part.map(({ item }) => item))
        for (const [i, { resolve }] of part.entries()) resolve(results[i] as Result)
        outOfTime = 0
      } catch (error) {
        outOfTime = ranOutOfTime(error) ? outOfTime + 1 : 0
        const away = outOfTime === 0 ? isUnavailable(error) : outOfTime === MOST_OUT_OF_TIME
        if (!away && part.length > 1) parts.push(...inParts(part))
        else for (const { reject } of away ? [part, ...parts.splice(0)].flat() : part) reject(error)
      }
    }
  }

  /** By owner, the fewest items first, for they are the least likely cause; one owner's one by one. */
  function inParts(group: Waiting<Item, Result>[]): Waiting<Item, Result>[][] {
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
        gathered.push({ item, resolve, reject })
        // Items that are handed in within one turn of the event loop go together.
        if (gathered.length === 1) queueMicrotask(writeNext)
      })
    },
    drain() {
      if (writing === 0 && gathered.length === 0) return Promise.resolve()
      return new Promise<void>((resolve) => idle.push(resolve))
    },
  }
}

/** Deadlock and serialization failure (PostgreSQL, Appendix A): nothing was written, and the same may succeed now. */
function isConflict(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === '40P01' || code === '40001'
}
