// Writes many small things together: while one write is on its way the next items gather, and go with it done. A
// lone item waits for nothing. Knows nothing of what is written.
import { isUnavailable } from './sql.ts'

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
  maxBytes?: number
  bytesOf?(item: Item): number
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

export function createGroup<Item, Result>(options: GroupOptions<Item, Result>): Group<Item, Result> {
  const { maxItems, maxBytes = Number.POSITIVE_INFINITY, bytesOf = () => 0 } = options
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
    let bytes = 0
    let count = 0
    for (const { item } of gathered) {
      bytes += bytesOf(item)
      if (count > 0 && (count === maxItems || bytes > maxBytes)) break
      count += 1
    }
    const group = gathered.slice(0, count)
    gathered = gathered.slice(count)
    return group
  }

  async function writeAll(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await writeUndisturbed(group.map(({ item }) => item))
      group.forEach((waiting, i) => {
        waiting.resolve(results[i] as Result)
      })
    } catch (error) {
      // One bad item must not fail its neighbours – unless the database is away, which fails everyone alike.
      if (group.length === 1 || isUnavailable(error)) for (const waiting of group) waiting.reject(error)
      else for (const waiting of group) await writeAll([waiting])
    }
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
