// A few threads that take turns. Knows nothing of what they do.
import { type SupervisedThread, superviseThread, type ThreadOptions } from './thread-pool/supervised-thread.ts'

export interface ThreadPoolOptions extends ThreadOptions {
  /** Tasks done at the same time. More wait their turn. */
  threads: number
}

export interface ThreadPool<Thread> {
  /** Has a thread to itself while `work` lasts. @throws what `work` throws; Error when the pool was stopped */
  use<T>(work: (thread: Thread) => Promise<T>): Promise<T>
  /** Finishes what is under way, refuses what waits, ends the threads. */
  stop(): Promise<void>
}

/** Starts no thread before the first task. Idle threads keep no process alive. */
export function createThreadPool<Task, Answer, Question = never, Reply = never>(
  options: ThreadPoolOptions,
): ThreadPool<SupervisedThread<Task, Answer, Question, Reply>> {
  type Thread = SupervisedThread<Task, Answer, Question, Reply>
  const threads: Thread[] = Array.from({ length: options.threads }, () => superviseThread(options))
  const free = [...threads]
  const waiting: { resolve: (thread: Thread) => void; reject: (error: Error) => void }[] = []
  const underWay = new Set<Promise<unknown>>()
  let stopped = false

  async function takeThread(): Promise<Thread> {
    if (stopped) throw new Error(STOPPED)
    return free.pop() ?? new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }

  function giveBack(thread: Thread): void {
    const next = waiting.shift()
    if (next) next.resolve(thread)
    else free.push(thread)
  }

  async function useOne<T>(work: (thread: Thread) => Promise<T>): Promise<T> {
    const thread = await takeThread()
    try {
      return await work(thread)
    } finally {
      giveBack(thread)
    }
  }

  return {
    use(work) {
      const using = useOne(work)
      underWay.add(using)
      const done = () => underWay.delete(using)
      using.then(done, done)
      return using
    },
    async stop() {
      stopped = true
      for (const { reject } of waiting.splice(0)) reject(new Error(STOPPED))
      await Promise.allSettled(underWay)
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

const STOPPED = 'the thread pool has been stopped'
