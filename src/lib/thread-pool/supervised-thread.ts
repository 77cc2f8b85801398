// One thread and what happens to it: started when there is something to do, ended when a task takes too long,
// replaced when it died. Knows nothing of what the tasks are.
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ThreadAnswer, ThreadMessage } from './serve-thread.ts'

export interface ThreadOptions {
  /** The file that the thread is started with; it calls `serveThread`. */
  entry: URL
  /** From the task to its answer. */
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

/** Starts nothing before the first piece or task. A thread without a task keeps no process alive. */
export function superviseThread<Task, Answer>(options: ThreadOptions): SupervisedThread<Task, Answer> {
  let current: Worker | null = null

  function started(): Worker {
    if (current) return current
    const worker = startWorker(options)
    const forgetWorker = () => {
      if (current === worker) current = null
    }
    worker.on('error', forgetWorker)
    worker.on('exit', forgetWorker)
    current = worker
    return worker
  }

  async function end(): Promise<void> {
    const worker = current
    current = null
    await worker?.terminate()
  }

  return {
    start() {
      started()
    },
    send(piece) {
      const bytes = new Uint8Array(piece)
      started().postMessage({ kind: 'piece', bytes } satisfies ThreadMessage, [bytes.buffer])
    },
    forget() {
      current?.postMessage({ kind: 'forget' } satisfies ThreadMessage)
    },
    async ask(task) {
      const outcome = await outcomeOf(started(), task, options.timeoutMs)
      if (outcome.kind === 'fault' && outcome.fault !== 'refused') await end()
      return outcome as ThreadOutcome<Answer>
    },
    end,
  }
}

function startWorker(options: ThreadOptions): Worker {
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
  worker.unref()
  return worker
}

function outcomeOf(worker: Worker, task: unknown, timeoutMs: number): Promise<ThreadOutcome<unknown>> {
  return new Promise((resolve) => {
    const settle = (outcome: ThreadOutcome<unknown>) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onDeath).off('exit', onDeath)
      worker.unref()
      resolve(outcome)
    }
    const onMessage = (message: ThreadAnswer) => {
      settle(message.kind === 'answer' ? message : { kind: 'fault', fault: 'refused' })
    }
    // Errors of a task do not leave the thread; what ends it is the limit on its heap.
    const onDeath = () => settle({ kind: 'fault', fault: 'memory' })
    const timer = setTimeout(() => settle({ kind: 'fault', fault: 'timeout' }), timeoutMs)
    worker.on('message', onMessage).on('error', onDeath).on('exit', onDeath)
    worker.ref()
    worker.postMessage({ kind: 'task', task } satisfies ThreadMessage)
  })
}
