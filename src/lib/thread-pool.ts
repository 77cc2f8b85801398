// A few threads that take turns, fairly between those for whom they work. Knows nothing of what they do.
import { type SupervisedThread, superviseThread, type ThreadOptions } from './thread-pool/supervised-thread.ts'

export interface ThreadPoolOptions extends ThreadOptions {
  /** Tasks done at the same time. More wait their turn. */
  threads: number
  /** Of these, how many one owner may have at once, so that another finds one free. Absent: all. */
  mostOfOne?: number
}

export interface ThreadPool<Thread> {
  /**
   * Has a thread to itself while `work` lasts. Those who wait take turns by `owner`, whatever else each has waiting.
   * @throws what `work` throws; Error when the pool was stopped
   */
  use<T>(owner: string, work: (thread: Thread) => Promise<T>): Promise<T>
  /** Finishes what is under way, refuses what waits, ends the threads. */
  stop(): Promise<void>
}

interface Waiter<Thread> {
  resolve(thread: Thread): void
  reject(error: Error): void
}

/**
 * Starts no thread before the first task; from then on the next one runs before it is needed, for a start takes long
 * where others keep the processor busy. Idle threads keep no process alive.
 */
export function createThreadPool<Task, Answer>(options: ThreadPoolOptions): ThreadPool<SupervisedThread<Task, Answer>> {
  type Thread = SupervisedThread<Task, Answer>
  const { mostOfOne = options.threads } = options
  const threads: Thread[] = Array.from({ length: options.threads }, () => superviseThread(options))
  const free = [...threads]
  const held = new Map<string, number>()
  /** By owner, in the order of their next turns. */
  const waiting = new Map<string, Waiter<Thread>[]>()
  const underWay = new Set<Promise<unknown>>()
  let stopped = false

  function takeThread(owner: string): Promise<Thread> {
    if (stopped) return Promise.reject(new Error(STOPPED))
    return new Promise((resolve, reject) => {
      waiting.set(owner, [...(waiting.get(owner) ?? []), { resolve, reject }])
      handOut()
    })
  }

  function handOut(): void {
    for (const [owner, [next, ...others]] of waiting) {
      if (free.length === 0) return
      const mine = held.get(owner) ?? 0
      if (!next || mine >= mostOfOne) continue
      held.set(owner, mine + 1)
      waiting.delete(owner)
      if (others.length > 0) waiting.set(owner, others)
      next.resolve(free.pop() as Thread)
      free.at(-1)?.start()
    }
  }

  function giveBack(owner: string, thread: Thread): void {
    free.push(thread)
    const mine = (held.get(owner) ?? 0) - 1
    if (mine > 0) held.set(owner, mine)
    else held.delete(owner)
    handOut()
  }

  async function useOne<T>(owner: string, work: (thread: Thread) => Promise<T>): Promise<T> {
    const thread = await takeThread(owner)
    try {
      return await work(thread)
    } finally {
      giveBack(owner, thread)
    }
  }

  return {
    use(owner, work) {
      const using = useOne(owner, work)
      underWay.add(using)
      const done = () => underWay.delete(using)
      using.then(done, done)
      return using
    },
    async stop() {
      stopped = true
      const waiters = [...waiting.values()].flat()
      waiting.clear()
      for (const { reject } of waiters) reject(new Error(STOPPED))
      await Promise.allSettled(underWay)
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

const STOPPED = 'the thread pool has been stopped'
