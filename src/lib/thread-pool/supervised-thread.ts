// One thread and what happens to it: started when there is something to do, ended when a task takes too long,
// replaced when it died. Knows nothing of what the tasks are.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ThreadAnswer, ThreadMessage } from './serve-thread.ts'

export interface ThreadOptions {
  /** The file that the thread is started with; it calls `serveThread`. */
  entry: URL
  /** From the task to its answer, while the thread is loaded. */
  timeoutMs: number
  /** JavaScript heap; the bytes of the input come on top. */
  heapMiB: number
}

/** `refused`: the task threw; `memory`: it needed more heap than it may have. */
export type ThreadFault = 'refused' | 'timeout' | 'memory'

export type ThreadOutcome<Answer> = { kind: 'answer'; answer: Answer } | { kind: 'fault'; fault: ThreadFault }

export interface SupervisedThread<Task, Answer> {
  /** Starts it before there is something to do. Does nothing when it runs. */
  start(): void
  /** Copies a piece of the next task's input to the thread. */
  send(piece: Uint8Array): void
  /** Drops the pieces sent. */
  forget(): void
  /** Has a task done with the pieces sent. Never fails; a thread that does not answer in time is ended. */
  ask(task: Task): Promise<ThreadOutcome<Answer>>
  end(): Promise<void>
}

/** Loading takes half a second where nothing else runs. One that takes this long never ends. */
const LOAD_TIMEOUT_MS = 60_000

interface Thread {
  worker: Worker
  /** Resolves when it can take a task; never, when it dies before that. */
  loaded: Promise<void>
}

/** Starts nothing before the first piece or task. A thread without a task keeps no process alive. */
export function superviseThread<Task, Answer>(options: ThreadOptions): SupervisedThread<Task, Answer> {
  let current: Thread | null = null

  function started(): Thread {
    if (current) return current
    const thread = startThread(options)
    const forgetThread = () => {
      if (current === thread) current = null
    }
    thread.worker.on('error', forgetThread)
    thread.worker.on('exit', forgetThread)
    current = thread
    return thread
  }

  async function end(): Promise<void> {
    const thread = current
    current = null
    await thread?.worker.terminate()
  }

  return {
    start() {
      started()
    },
    send(piece) {
      const bytes = new Uint8Array(piece)
      started().worker.postMessage({ kind: 'piece', bytes } satisfies ThreadMessage, [bytes.buffer])
    },
    forget() {
      current?.worker.postMessage({ kind: 'forget' } satisfies ThreadMessage)
    },
    async ask(task) {
      const outcome = await outcomeOf(started(), task, options.timeoutMs)
      if (outcome.kind === 'fault' && outcome.fault !== 'refused') await end()
      return outcome as ThreadOutcome<Answer>
    },
    end,
  }
}

function startThread(options: ThreadOptions): Thread {
  // Of this version of Node.js, within the folder for all.
  const compiled = getCompileCacheDir()
  const worker = new Worker(options.entry, {
    // What reads strangers' bytes has no business with our configuration, nor with our standard output.
    // It has Node.js's folder of compiled code, with which it starts in half the time.
    env: compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) },
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMiB, maxYoungGenerationSizeMb: 32 },
  })
  worker.stdout.resume()
  const loaded = new Promise<void>((resolve) => {
    const onMessage = (message: ThreadAnswer) => {
      if (message.kind !== 'ready') return
      worker.off('message', onMessage)
      resolve()
    }
    worker.on('message', onMessage)
  })
  worker.unref()
  return { worker, loaded }
}

function outcomeOf({ worker, loaded }: Thread, task: unknown, timeoutMs: number): Promise<ThreadOutcome<unknown>> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const settle = (outcome: ThreadOutcome<unknown>) => {
      clearTimeout(timer)
      timer = undefined
      worker.off('message', onMessage).off('error', onDeath).off('exit', onDeath)
      worker.unref()
      resolve(outcome)
    }
    const giveUpAfter = (ms: number) => {
      timer = setTimeout(() => settle({ kind: 'fault', fault: 'timeout' }), ms)
    }
    const onMessage = (message: ThreadAnswer) => {
      if (message.kind === 'ready') return
      settle(message.kind === 'answer' ? message : { kind: 'fault', fault: 'refused' })
    }
    // Errors of a task do not leave the thread; what ends it is the limit on its heap.
    const onDeath = () => settle({ kind: 'fault', fault: 'memory' })
    worker.on('message', onMessage).on('error', onDeath).on('exit', onDeath)
    worker.ref()
    worker.postMessage({ kind: 'task', task } satisfies ThreadMessage)
    // A machine that is busy makes nobody's message one that takes too long.
    giveUpAfter(LOAD_TIMEOUT_MS)
    void loaded.then(() => {
      if (timer === undefined) return
      clearTimeout(timer)
      giveUpAfter(timeoutMs)
    })
  })
}
