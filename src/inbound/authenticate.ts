// Finds out who a received message is really from: SPF, DKIM and DMARC, in threads, in bounded time, with look-ups
// through the resolver it is given. Knows nothing of where messages are kept.

import type { DnsAnswer, DnsResolver } from '../lib/resolver.ts'
import type { SupervisedThread, ThreadOutcome } from '../lib/thread-pool/supervised-thread.ts'
import { createThreadPool } from '../lib/thread-pool.ts'
import { type MessageSource, sendMessage } from '../mail-parser/message-source.ts'
import { MAX_HEADER_BYTES } from '../mail-parser/parsed-message.ts'
import type { Envelope } from './authenticate-message.ts'
import type { AuthenticateTask, DnsQuestion } from './authenticate-thread.ts'
import { type Authentication, UNKNOWN_AUTHENTICATION } from './authentication.ts'

export interface MailAuthenticatorOptions {
  resolver: Pick<DnsResolver, 'query'>
  /** Messages authenticated at the same time. More wait their turn. */
  threads: number
  /** How long one try may take; there are two at most. */
  timeoutMs: number
  /** JavaScript heap of one thread; the bytes of the message come on top. */
  heapMiB: number
}

export interface MailAuthenticator {
  /**
   * Authenticates a message. What could not be found out is `temperror`.
   * @throws what the source throws; Error when the authenticator was stopped
   */
  authenticate(source: MessageSource, envelope: Envelope): Promise<Authentication>
  /** Finishes what is under way, refuses what waits, ends the threads. */
  stop(): Promise<void>
}

type Thread = SupervisedThread<AuthenticateTask, Authentication, DnsQuestion, DnsAnswer<unknown>>

/** Starts no thread before the first message. Idle threads keep no process alive. */
export function createMailAuthenticator(options: MailAuthenticatorOptions): MailAuthenticator {
  const entry = new URL('./authenticate-thread.ts', import.meta.url)
  const pool = createThreadPool<AuthenticateTask, Authentication, DnsQuestion, DnsAnswer<unknown>>({
    ...options,
    entry,
  })
  const ask = (thread: Thread, task: AuthenticateTask) => thread.ask(task, answerInTime(options))
  return {
    authenticate: (source, envelope) => pool.use((thread) => authenticateWith(thread, source, envelope, ask)),
    stop: () => pool.stop(),
  }
}

/**
 * A message that was made so that its signatures take for ever must not come to be trusted by that: it is judged
 * again as if its signatures could not be verified.
 */
async function authenticateWith(
  thread: Thread,
  source: MessageSource,
  envelope: Envelope,
  ask: (thread: Thread, task: AuthenticateTask) => Promise<ThreadOutcome<Authentication>>,
): Promise<Authentication> {
  const { beginning, tooLarge } = await sendMessage(thread, source, MAX_HEADER_BYTES)
  if (!tooLarge) {
    const whole = await ask(thread, { envelope, signatures: true })
    if (whole.kind === 'answer') return whole.answer
  }
  for (const piece of beginning) thread.send(piece)
  const unsigned = await ask(thread, { envelope, signatures: false })
  return unsigned.kind === 'answer' ? unsigned.answer : UNKNOWN_AUTHENTICATION
}

/** Of a try's time: what look-ups for SPF and DKIM may take until, and those for DMARC. */
const SENDER_LOOKUPS_SHARE = 0.5
const DMARC_LOOKUPS_SHARE = 0.9

/**
 * Answers look-ups until their share of the time is over. A sender chooses whose name servers SPF and DKIM ask, and
 * may have them dawdle; the look-up for DMARC, which goes to the domain in From, has time left all the same.
 */
function answerInTime({ resolver, timeoutMs }: MailAuthenticatorOptions) {
  const started = performance.now()
  return async ({ name, type }: DnsQuestion): Promise<DnsAnswer<unknown>> => {
    const share = name.startsWith('_dmarc.') ? DMARC_LOOKUPS_SHARE : SENDER_LOOKUPS_SHARE
    const remaining = started + timeoutMs * share - performance.now()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<DnsAnswer<unknown>>((resolve) => {
      timer = setTimeout(resolve, Math.max(remaining, 0), { kind: 'failed', code: 'ETIMEOUT' })
    })
    try {
      return await Promise.race([resolver.query(name, type), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
