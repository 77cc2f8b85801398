// Reads messages off the event loop, in a few threads with bounds on time and memory. Whatever is sent, a result
// comes back: the whole message, or its header, or the word that only its bytes can be shown. Knows nothing of
// where messages come from or go to.
import {
  MAX_FALLBACK_HEADER_BYTES,
  MAX_MESSAGE_BYTES,
  type ParsedMessage,
  type ParseFault,
  unreadableMessage,
} from './parsed-message.ts'
import { type SupervisedThread, superviseThread, type ThreadLimits, type ThreadOutcome } from './supervised-thread.ts'

export interface MailParserOptions extends ThreadLimits {
  /** Messages read at the same time. More wait their turn, their sources untouched. */
  threads: number
}

export interface MailParser {
  /**
   * Reads a message from its bytes: a stream, or `[buffer]`. Never fails on account of the message.
   * @throws what the source throws; Error when the parser was stopped.
   */
  parse(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<ParsedMessage>
  /** Finishes what is being read, refuses what waits, ends the threads. */
  stop(): Promise<void>
}

/** Starts no thread before the first message. Idle threads keep no process alive. */
export function createMailParser(options: MailParserOptions): MailParser {
  const threads = Array.from({ length: options.threads }, () => superviseThread(options))
  const free = [...threads]
  const waiting: { resolve: (thread: SupervisedThread) => void; reject: (error: Error) => void }[] = []
  const running = new Set<Promise<ParsedMessage>>()
  let stopped = false

  async function takeThread(): Promise<SupervisedThread> {
    if (stopped) throw new Error(STOPPED)
    return free.pop() ?? new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }

  function giveBack(thread: SupervisedThread): void {
    const next = waiting.shift()
    if (next) next.resolve(thread)
    else free.push(thread)
  }

  return {
    async parse(source) {
      const thread = await takeThread()
      const reading = readWith(thread, source)
      running.add(reading)
      try {
        return await reading
      } finally {
        running.delete(reading)
        giveBack(thread)
      }
    },
    async stop() {
      stopped = true
      for (const { reject } of waiting.splice(0)) reject(new Error(STOPPED))
      await Promise.allSettled(running)
      await Promise.all(threads.map((thread) => thread.end()))
    },
  }
}

const STOPPED = 'the mail parser has been stopped'

async function readWith(
  thread: SupervisedThread,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<ParsedMessage> {
  const { beginning, tooLarge } = await sendAll(thread, source)
  const whole: ThreadOutcome = tooLarge ? { kind: 'fault', fault: 'too_large' } : await thread.ask({ kind: 'parse' })
  if (whole.kind === 'parsed') return whole.message
  return readHeaderOnly(thread, beginning, whole.fault)
}

async function readHeaderOnly(
  thread: SupervisedThread,
  beginning: Uint8Array[],
  fault: ParseFault,
): Promise<ParsedMessage> {
  for (const piece of beginning) thread.send(piece)
  const header = await thread.ask({ kind: 'headers', fault })
  return header.kind === 'parsed' ? header.message : unreadableMessage(fault)
}

/** Passes the source on piece by piece and keeps its beginning, which holds the header, for a second try. */
async function sendAll(
  thread: SupervisedThread,
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<{ beginning: Uint8Array[]; tooLarge: boolean }> {
  const beginning: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const piece of source) {
      const missing = MAX_FALLBACK_HEADER_BYTES - sizeBytes
      if (missing > 0) beginning.push(Uint8Array.prototype.slice.call(piece, 0, missing))
      sizeBytes += piece.byteLength
      if (sizeBytes > MAX_MESSAGE_BYTES) {
        thread.forget()
        return { beginning, tooLarge: true }
      }
      thread.send(piece)
    }
  } catch (error) {
    thread.forget()
    throw error
  }
  return { beginning, tooLarge: false }
}
