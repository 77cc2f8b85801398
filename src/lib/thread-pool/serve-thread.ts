// The thread's side of a thread pool: gathers the pieces of an input, does a task with it, answers. Called once by
// the file that a thread is started with. Knows nothing of what the tasks are.
import { type MessagePort, parentPort } from 'node:worker_threads'

/** To the thread. */
export type ThreadMessage =
  | { kind: 'piece'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'forget' }
  | { kind: 'task'; task: unknown }

/** From the thread. `ready`: it is loaded, once; `refused`: the task threw. */
export type ThreadAnswer = { kind: 'ready' } | { kind: 'answer'; answer: unknown } | { kind: 'refused' }

export interface Handled<Answer> {
  answer: Answer
  /** What of the answer is handed over instead of copied. */
  transfer?: ArrayBuffer[]
}

/** Serves tasks until the thread is ended. Does nothing outside a thread. `input` owns its buffer. */
export function serveThread<Task, Answer>(
  handle: (task: Task, input: Uint8Array<ArrayBuffer>) => Promise<Handled<Answer>>,
): void {
  if (parentPort) serve(parentPort, handle as Handle)
}

type Handle = (task: unknown, input: Uint8Array<ArrayBuffer>) => Promise<Handled<unknown>>

function serve(port: MessagePort, handle: Handle): void {
  let pieces: Uint8Array[] = []
  const send = (answer: ThreadAnswer, transfer: ArrayBuffer[] = []) => port.postMessage(answer, transfer)
  const perform = async (task: unknown) => {
    const input = joined(pieces)
    pieces = []
    try {
      const { answer, transfer } = await handle(task, input)
      send({ kind: 'answer', answer }, transfer)
    } catch {
      send({ kind: 'refused' })
    }
  }

  port.on('message', (message: ThreadMessage) => {
    switch (message.kind) {
      case 'piece':
        pieces.push(message.bytes)
        break
      case 'forget':
        pieces = []
        break
      case 'task':
        void perform(message.task)
    }
  })
  send({ kind: 'ready' })
}

function joined(pieces: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.byteLength, 0))
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.byteLength
  }
  return whole
}
