// One parse thread and what happens to it: started when there is something to read, ended when a message takes too
// long, replaced when it died. Knows nothing of what is read.
import { Worker } from 'node:worker_threads'
import type { ThreadAnswer, ThreadRequest } from './parse-thread.ts'
import type { ParsedMessage, ParseFault } from './parsed-message.ts'

export interface ThreadLimits {
  /** From the request to the answer. */
  timeoutMs: number
  /** JavaScript heap; the bytes of the message come on top. */
  heapMiB: number
}

export type ThreadOutcome = { kind: 'parsed'; message: ParsedMessage } | { kind: 'fault'; fault: ParseFault }

export interface SupervisedThread {
  /** Copies a piece of the message to the thread. */
  send(piece: Uint8Array): void
  /** Drops the pieces sent. */
  forget(): void
  /** Has the pieces read. Never fails; a thread that does not answer in time is ended. */
  ask(request: Exclude<ThreadRequest, { kind: 'piece' | 'forget' }>): Promise<ThreadOutcome>
  end(): Promise<void>
}

/** Starts nothing before the first piece. Without a request pending the thread keeps no process alive. */
export function superviseThread(limits: ThreadLimits): SupervisedThread {
  let current: Worker | null = null

  function started(): Worker {
    if (current) return current
    const worker = startWorker(limits.heapMiB)
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
    send(piece) {
      const bytes = new Uint8Array(piece)
      started().postMessage({ kind: 'piece', bytes } satisfies ThreadRequest, [bytes.buffer])
    },
    forget() {
      current?.postMessage({ kind: 'forget' } satisfies ThreadRequest)
    },
    async ask(request) {
      const outcome = await answerOf(started(), request, limits.timeoutMs)
      if (outcome.kind === 'fault' && outcome.fault !== 'refused') await end()
      return outcome
    },
    end,
  }
}

function startWorker(heapMiB: number): Worker {
  const worker = new Worker(new URL('./parse-thread.ts', import.meta.url), {
    name: 'mail-parser',
    // What reads strangers' mail has no business with our configuration.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: heapMiB, maxYoungGenerationSizeMb: 32 },
  })
  worker.unref()
  return worker
}

function answerOf(worker: Worker, request: ThreadRequest, timeoutMs: number): Promise<ThreadOutcome> {
  return new Promise((resolve) => {
    const settle = (outcome: ThreadOutcome) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      worker.unref()
      resolve(outcome)
    }
    const onMessage = (answer: ThreadAnswer) =>
      settle(answer.kind === 'parsed' ? answer : { kind: 'fault', fault: 'refused' })
    // Uncaught errors cannot leave the thread but one: the heap limit.
    const onError = () => settle({ kind: 'fault', fault: 'memory' })
    const onExit = () => settle({ kind: 'fault', fault: 'memory' })
    const timer = setTimeout(() => settle({ kind: 'fault', fault: 'timeout' }), timeoutMs)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.ref()
    worker.postMessage(request)
  })
}
