// Finds out who a received message is really from: SPF, DKIM and DMARC, in threads, in bounded time, with look-ups
// through the resolver it is given. No thread waits for the DNS: whatever a step asks is looked up while others have its
// thread, and the step is taken again with the answers. Knows nothing of where messages are kept.
import type { DnsAnswer, DnsResolver } from '../../lib/resolver.ts'
import { createThreadPool } from '../../lib/thread-pool.ts'
import { type MessageSource, sendMessage } from '../parse/message-source.ts'
import { MAX_HEADER_BYTES } from '../parse/parsed-message.ts'
import type { Envelope, Found, Step } from './authenticate-message.ts'
import type { AuthenticateAnswer, AuthenticateTask } from './authenticate-thread.ts'
import { type Authentication, type Signer, UNKNOWN_AUTHENTICATION, UNSIGNED, UNVERIFIABLE } from './authentication.ts'
import { type DnsAnswers, type DnsQuestion, questionKey } from './dns-answers.ts'
import type { HeaderFacts } from './signing-header.ts'

export interface MailAuthenticatorOptions {
  resolver: Pick<DnsResolver, 'query'>
  /** Steps taken at the same time. More wait their turn. */
  threads: number
  /** Of these, how many of one owner. Absent: all. */
  mostOfOne?: number
  /** How long one step may take; and all look-ups of a message together. */
  timeoutMs: number
  /** JavaScript heap of one thread; the bytes of the message come on top. */
  heapMiB: number
}

/** Opens the message, or its first bytes: the header is read first, and the rest only where it is signed. */
export type MessageOpener = (mostBytes?: number) => MessageSource

export interface MailAuthenticator {
  /**
   * Authenticates a message. What could not be found out is `temperror`. Owners take turns.
   * @throws what the source throws; Error when the authenticator was stopped
   */
  authenticate(open: MessageOpener, envelope: Envelope, owner?: string): Promise<Authentication>
  /** Finishes what is under way, refuses what waits, ends the threads. */
  stop(): Promise<void>
}

/** Starts no thread before the first message. Idle threads keep no process alive. */
export function createMailAuthenticator(options: MailAuthenticatorOptions): MailAuthenticator {
  const entry = new URL('./authenticate-thread.ts', import.meta.url)
  const pool = createThreadPool<AuthenticateTask, AuthenticateAnswer>({ ...options, entry })
  return {
    async authenticate(open, envelope, owner = '') {
      /** Undefined when the thread did not come to an answer. */
      const ask = (task: AuthenticateTask, source?: MessageSource) =>
        pool.use(owner, async (thread) => {
          if (source && (await sendMessage(thread, source, 0)).tooLarge) return undefined
          const outcome = await thread.ask(task)
          return outcome.kind === 'answer' ? outcome.answer : undefined
        })
      return authenticateWith(ask, options, open, envelope)
    },
    stop: () => pool.stop(),
  }
}

type AskThread = (task: AuthenticateTask, source?: MessageSource) => Promise<AuthenticateAnswer | undefined>
type LookUps = Pick<MailAuthenticatorOptions, 'resolver' | 'timeoutMs'>

async function authenticateWith(
  ask: AskThread,
  lookUps: LookUps,
  open: MessageOpener,
  envelope: Envelope,
): Promise<Authentication> {
  const header = (await ask({ kind: 'header' }, open(MAX_HEADER_BYTES))) as HeaderFacts | undefined
  if (!header) return UNKNOWN_AUTHENTICATION
  const [sender, signers] = await Promise.all([
    takeSteps<Found['sender']>(lookUps, [], (answers) => ask({ kind: 'sender', envelope, answers })),
    checkSignatures(ask, lookUps, open, header),
  ])
  if (!sender) return UNKNOWN_AUTHENTICATION
  const found = { sender, signers, fromDomains: header.fromDomains }
  const verdict = await takeSteps<Authentication>(lookUps, [], (answers) => ask({ kind: 'verdict', found, answers }))
  return verdict ?? UNKNOWN_AUTHENTICATION
}

/**
 * A message that was made so that its signatures take for ever must not come to be trusted by that: it is judged as if
 * they could not be verified.
 */
async function checkSignatures(
  ask: AskThread,
  lookUps: LookUps,
  open: MessageOpener,
  header: HeaderFacts,
): Promise<Signer[]> {
  if (header.signatures === 'none') return [UNSIGNED]
  if (header.signatures === 'unverifiable') return [UNVERIFIABLE]
  const signers = await takeSteps<Signer[]>(lookUps, header.keys, (answers) =>
    ask({ kind: 'signatures', answers }, open()),
  )
  return signers ?? [UNVERIFIABLE]
}

/** Of `timeoutMs`: what the look-ups of all times a step is taken may take. The verdict comes after the others. */
const LOOKUPS_SHARE = 0.45

/**
 * Takes a step until it has nothing to ask; the answers stay. The time for look-ups runs only while they are awaited, and
 * each kind of step has its own: whatever else of a message is slow, its sender's name servers or its signatures, the
 * look-ups for DMARC, which go to the domain in From, have their time.
 */
async function takeSteps<Result>(
  { resolver, timeoutMs }: LookUps,
  foreseen: DnsQuestion[],
  take: (answers: DnsAnswers) => Promise<AuthenticateAnswer | undefined>,
): Promise<Result | undefined> {
  const answers = new Map<string, DnsAnswer<unknown>>()
  let remainingMs = timeoutMs * LOOKUPS_SHARE
  for (let questions = foreseen; ; ) {
    const started = performance.now()
    const asked = await inTime(questions, (question) => resolver.query(question.name, question.type), remainingMs)
    for (const [i, question] of questions.entries()) answers.set(questionKey(question), asked[i] ?? LATE)
    remainingMs -= performance.now() - started
    const taken = (await take(answers)) as Step<Result> | undefined
    if (!taken || taken.questions.length === 0) return taken?.result
    questions = taken.questions
  }
}

const LATE: DnsAnswer<unknown> = { kind: 'failed', code: 'ETIMEOUT' }

/** Those of the answers that come in time. Asks nobody when the time is over. */
async function inTime(
  questions: DnsQuestion[],
  query: (question: DnsQuestion) => Promise<DnsAnswer<unknown>>,
  withinMs: number,
): Promise<(DnsAnswer<unknown> | undefined)[]> {
  const answers: (DnsAnswer<unknown> | undefined)[] = questions.map(() => undefined)
  if (questions.length === 0 || withinMs <= 0) return answers
  const asked = questions.map(async (question, i) => {
    answers[i] = await query(question)
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, withinMs)
  })
  await Promise.race([Promise.all(asked), late])
  clearTimeout(timer)
  return [...answers]
}
