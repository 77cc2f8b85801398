// Reads messages off the event loop, in a few threads with bounds on time and memory. Whatever is sent, a result
// comes back: the whole message, or its header, or the word that only its bytes can be shown. Knows nothing of
// where messages come from or go to.
import type { SupervisedThread } from '../../lib/thread-pool/supervised-thread.ts'
import { createThreadPool } from '../../lib/thread-pool.ts'
import { type MessageSource, sendMessage } from './message-source.ts'
import type { ParseTask } from './parse-thread.ts'
import { MAX_FALLBACK_HEADER_BYTES, type ParsedMessage, type ParseFault, unreadableMessage } from './parsed-message.ts'

export interface MailParserOptions {
  /** Messages read at the same time. More wait their turn, their sources untouched. */
  threads: number
  /** Of these, how many of one owner. Absent: all. */
  mostOfOne?: number
  /** How long one message may take, from its last byte on. */
  timeoutMs: number
  /** JavaScript heap of one thread; the bytes of the message come on top. */
  heapMiB: number
}

export interface MailParser {
  /**
   * Reads a message. Never fails on account of the message. Owners take turns.
   * @throws what the source throws; Error when the parser was stopped
   */
  parse(source: MessageSource, owner?: string): Promise<ParsedMessage>
  /** Finishes what is being read, refuses what waits, ends the threads. */
  stop(): Promise<void>
}

type ParseThread = SupervisedThread<ParseTask, ParsedMessage>

/** Starts no thread before the first message. Idle threads keep no process alive. */
export function createMailParser(options: MailParserOptions): MailParser {
  const entry = new URL('./parse-thread.ts', import.meta.url)
  const pool = createThreadPool<ParseTask, ParsedMessage>({ ...options, entry })
  return {
    parse: (source, owner = '') => pool.use(owner, (thread) => readWith(thread, source)),
    stop: () => pool.stop(),
  }
}

async function readWith(thread: ParseThread, source: MessageSource): Promise<ParsedMessage> {
  const { beginning, tooLarge } = await sendMessage(thread, source, MAX_FALLBACK_HEADER_BYTES)
  if (tooLarge) return readHeaderOnly(thread, beginning, 'too_large')
  const whole = await thread.ask({ kind: 'whole' })
  return whole.kind === 'answer' ? whole.answer : readHeaderOnly(thread, beginning, whole.fault)
}

async function readHeaderOnly(thread: ParseThread, beginning: Uint8Array[], fault: ParseFault): Promise<ParsedMessage> {
  for (const piece of beginning) thread.send(piece)
  const header = await thread.ask({ kind: 'headers', fault })
  return header.kind === 'answer' ? header.answer : unreadableMessage(fault)
}
