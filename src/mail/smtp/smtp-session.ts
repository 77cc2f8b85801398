// One connection to the relay: opened, used for one transaction after the other, ended. Knows nothing of the pool
// it lives in.
import { Readable } from 'node:stream'
import type { NodemailerError } from 'nodemailer/lib/errors'
import SMTPConnection, { type SMTPConnectionEnvelope, type SMTPEnvelope } from 'nodemailer/lib/smtp-connection'
import { wireAddress } from '../mail-address.ts'
import { shortLine } from './relay-reply.ts'
import type { RelayTarget } from './relay-url.ts'
import { judgeFailure, judgeSuccess, type Phase, refuse, type Submission } from './smtp-transaction.ts'

/** Bytes that are read when they are wanted, from the start each time. */
export interface StoredBytes {
  sizeBytes: number
  open(): Promise<AsyncIterable<Uint8Array>>
}

export interface SubmissionRequest {
  envelopeFrom: string
  recipients: readonly string[]
  message: Uint8Array | StoredBytes
  /** Comes back in delivery status notifications (RFC 3461 §4.4); null: none are wanted. */
  envelopeId: string | null
  /** The header holds addresses beyond ASCII. */
  smtpUtf8: boolean
  /** Asked once more when its turn has come, just before it goes out. */
  stillWanted?: () => boolean
}

export interface Timeouts {
  /** Until the connection stands, TLS included. */
  connectMs: number
  /** Without a sign of life while a reply is due or the message is under way. */
  commandMs: number
  /** For the verdict on the message. */
  verdictMs: number
}

/** RFC 5321 §4.5.3.2. */
export const SMTP_TIMEOUTS: Timeouts = { connectMs: 30_000, commandMs: 5 * 60_000, verdictMs: 10 * 60_000 }

/** A transaction, and whether anything of the message left the process. */
export interface TransactionResult {
  submission: Submission
  phase: Phase
}

export interface SmtpSession {
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>
  /**
   * One transaction; one at a time. @throws UnbuildableMessage for an address that cannot be written, and what the
   * message's own bytes throw when they are read
   */
  transact(request: SubmissionRequest): Promise<TransactionResult>
  /** Ends what a refused transaction has left open. False when the connection cannot be used again. */
  reset(): Promise<boolean>
  /** Says goodbye and ends. */
  quit(): void
  /** Ends at once. */
  destroy(): void
}

/** How long a relay may take to answer QUIT. */
const QUIT_MS = 2_000
const SLICE_BYTES = 64 * 1024

/**
 * Connects, secures and authenticates. @throws Error whose message is one line for the operator, without secrets; its cause
 * says it by code (`connection-fault.ts`). That it is unwanted ends the attempt
 */
export async function openSession(
  target: RelayTarget,
  timeouts: Timeouts,
  unwanted?: AbortSignal,
): Promise<SmtpSession> {
  const connection = new SMTPConnection({
    host: target.host,
    port: target.port,
    secure: target.secure,
    requireTLS: target.requireTls,
    tls: { rejectUnauthorized: target.verifyCertificate },
    dnsTimeout: timeouts.connectMs,
    connectionTimeout: timeouts.connectMs + timeouts.commandMs,
    greetingTimeout: timeouts.commandMs,
    socketTimeout: timeouts.commandMs,
  })
  const ended = new Promise<void>((resolve) => connection.once('end', resolve))
  const giveUp = () => connection.close()
  unwanted?.addEventListener('abort', giveUp, { once: true })
  try {
    await connected(connection, ended, timeouts.connectMs)
    // The answer to EHLO is what `connect` was emitted for.
    const extensions = extensionsIn(connection.lastServerResponse || '')
    if (target.credentials) await authenticated(connection, ended, target.credentials)
    return sessionOf(connection, ended, extensions, timeouts)
  } catch (error) {
    connection.close()
    throw new Error(shortLine((error as Error).message) || 'the connection failed', { cause: error })
  } finally {
    unwanted?.removeEventListener('abort', giveUp)
  }
}

function connected(connection: SMTPConnection, ended: Promise<void>, connectMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      if (connection.stage === 'init') reject(faultOf('ETIMEDOUT', `no connection within ${connectMs} ms`))
    }, connectMs)
    // The listener stays for good: an error that nobody listens to would end the process.
    connection.on('error', reject)
    connection.connect((error) => (error ? reject(error) : resolve()))
    void ended.then(() => {
      clearTimeout(timer)
      reject(faultOf('ECONNECTION', 'the relay closed the connection'))
    })
    connection.once('connect', () => clearTimeout(timer))
  })
}

async function authenticated(
  connection: SMTPConnection,
  ended: Promise<void>,
  { user, password }: NonNullable<RelayTarget['credentials']>,
): Promise<void> {
  if (!connection.allowsAuth) {
    throw faultOf('EAUTH', 'the relay offers no authentication, and credentials are configured')
  }
  await new Promise<void>((resolve, reject) => {
    connection.once('error', reject)
    void ended.then(() => reject(faultOf('ECONNECTION', 'the relay closed the connection during authentication')))
    connection.login({ user, pass: password.reveal() }, (error) => (error ? reject(error) : resolve()))
  })
}

/** A fault that nodemailer does not report, with the code that it would give it. */
function faultOf(code: 'ETIMEDOUT' | 'ECONNECTION' | 'EAUTH', message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** EHLO keywords in upper case and their parameters (RFC 5321 §4.1.1.1). */
function extensionsIn(ehlo: string): Map<string, string> {
  const lines = ehlo.split(/\r?\n/).slice(1)
  return new Map(
    lines.map((line) => {
      const [keyword = '', ...parameters] = line.slice(4).trim().split(/\s+/)
      return [keyword.toUpperCase(), parameters.join(' ')]
    }),
  )
}

function sessionOf(
  connection: SMTPConnection,
  ended: Promise<void>,
  extensions: Map<string, string>,
  timeouts: Timeouts,
): SmtpSession {
  // A connection that we end ourselves ends without a word to who is waiting for an answer. To others nodemailer
  // says why, a moment after the end.
  let onEnd: ((error: NodemailerError) => void) | undefined
  void ended.then(() => setImmediate(() => onEnd?.(new Error('the connection was closed'))))

  return {
    ended,
    async transact(request) {
      const wire = { ...request, recipients: request.recipients.map(wireAddress) }
      const submission = refusedUnasked(wire, extensions)
      if (submission) return { submission, phase: 'envelope' }
      try {
        return await transact(connection, wire, timeouts, (interrupt) => {
          onEnd = interrupt
        })
      } finally {
        onEnd = undefined
      }
    },
    reset: () =>
      new Promise((resolve) => {
        onEnd = () => resolve(false)
        connection.reset((error) => resolve(!error))
      }),
    quit() {
      const timer = setTimeout(() => connection.close(), QUIT_MS)
      void ended.then(() => clearTimeout(timer))
      connection.quit()
    },
    destroy: () => connection.close(),
  }
}

/** What the relay's own announcement rules out. */
function refusedUnasked(
  { recipients, message, smtpUtf8, envelopeFrom }: SubmissionRequest,
  extensions: Map<string, string>,
): Submission | undefined {
  const largest = Number(extensions.get('SIZE') ?? 0)
  const size = sizeOf(message)
  if (largest > 0 && size > largest) {
    // RFC 1870 §6.3, RFC 3463 §3.4.
    const text = `the relay takes at most ${largest} bytes, and the message has ${size}`
    return refuse(recipients, { code: null, enhancedCode: '5.3.4', text })
  }
  if ((smtpUtf8 || beyondAscii(envelopeFrom, ...recipients)) && !extensions.has('SMTPUTF8')) {
    // RFC 6531 §3.5.
    const text = 'the message has addresses beyond ASCII, and the relay does not offer SMTPUTF8'
    return refuse(recipients, { code: null, enhancedCode: '5.6.7', text })
  }
  return undefined
}

/** RFC 3461 §4.1 */
const NO_REPORTS = { notify: ['NEVER'] }
const ALL_REPORTS = { notify: ['SUCCESS', 'FAILURE', 'DELAY'], ret: 'HDRS' }

function transact(
  connection: SMTPConnection,
  request: SubmissionRequest,
  timeouts: Timeouts,
  onEnd: (interrupt: (error: NodemailerError) => void) => void,
): Promise<TransactionResult> {
  const { recipients, smtpUtf8 } = request
  const envelope: SMTPEnvelope & Partial<SMTPConnectionEnvelope> = {
    from: request.envelopeFrom,
    to: [...recipients],
    size: sizeOf(request.message),
    use8BitMime: smtpUtf8,
    // No ORCPT: nodemailer would give every recipient the same.
    dsn: request.envelopeId === null ? NO_REPORTS : { ...ALL_REPORTS, envid: request.envelopeId },
  }
  const body = bodyOf(request.message, () => assertGoAhead(connection))
  return new Promise((resolve, reject) => {
    const finish = (error: NodemailerError | null, response = '') => {
      limitSilence(connection, timeouts.commandMs)
      const refused = envelope.rejectedErrors ?? []
      const { phase, fault } = body.progress
      if (fault) reject(fault)
      else if (error) resolve({ submission: judgeFailure(recipients, error, refused, phase), phase })
      else resolve({ submission: judgeSuccess(recipients, response, refused), phase })
    }
    onEnd(finish)
    body.stream.once('end', () => limitSilence(connection, timeouts.verdictMs))
    const send = () => connection.send(envelope, body.stream, (error, info) => finish(error, info?.response))
    if (smtpUtf8) declaringSmtpUtf8(connection, send)
    else send()
  })
}

/** The relay must ask for the message in so many words: a stray reply may have shifted the answers (RFC 5321 §3.3). */
function assertGoAhead(connection: SMTPConnection): void {
  const reply = connection.lastServerResponse || ''
  if (!/^354/.test(reply)) throw new Error(`the relay answered DATA with: ${reply}`)
}

/**
 * nodemailer declares SMTPUTF8 for addresses of the envelope only, and RFC 6531 §3.4 wants it for the header's too.
 * It has no option for that: so MAIL, which `send` writes before it returns, gets the keyword on its way out.
 */
function declaringSmtpUtf8(connection: SMTPConnection, send: () => void): void {
  const internals = connection as unknown as { _sendCommand(command: string, logged?: string): void }
  const original = internals._sendCommand
  internals._sendCommand = (command, logged) => {
    const declared = !command.startsWith('MAIL FROM:') || / SMTPUTF8\b/.test(command)
    original.call(connection, declared ? command : `${command} SMTPUTF8`, logged)
  }
  try {
    send()
  } finally {
    internals._sendCommand = original
  }
}

function limitSilence(connection: SMTPConnection, ms: number): void {
  if (connection._socket && !connection._socket.destroyed) connection._socket.setTimeout(ms)
}

interface Body {
  stream: Readable
  progress: { phase: Phase; fault?: unknown }
}

/** The message as a stream that knows how far it got, because after its last octet nobody may say it was not sent. */
function bodyOf(message: Uint8Array | StoredBytes, assertGoAhead: () => void): Body {
  const progress: Body['progress'] = { phase: 'envelope' }
  async function* octets() {
    assertGoAhead()
    progress.phase = 'sending'
    let sent = 0
    try {
      for await (const chunk of message instanceof Uint8Array ? slices(message) : await message.open()) {
        sent += chunk.length
        yield chunk
      }
      if (sent !== sizeOf(message)) throw new Error(`the message has ${sent} bytes instead of ${sizeOf(message)}`)
    } catch (error) {
      progress.fault = error
      throw new Error('the message could not be read')
    }
    progress.phase = 'sent'
  }
  return { stream: Readable.from(octets(), { objectMode: false }), progress }
}

/** In slices, so that a connection that breaks in the middle is known to have broken there. */
function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) yield bytes.subarray(start, start + SLICE_BYTES)
}

function sizeOf(message: Uint8Array | StoredBytes): number {
  return message instanceof Uint8Array ? message.length : message.sizeBytes
}

function beyondAscii(...addresses: readonly string[]): boolean {
  return addresses.some((address) => /[^\0-\x7f]/.test(address))
}
