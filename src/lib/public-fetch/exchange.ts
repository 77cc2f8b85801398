// One request and its answer under one deadline, as undici reports them. Knows nothing of names and addresses.
// A handler of undici's own instead of undici.request: it makes no stream for an answer that is only read to be
// dropped, and it can stop at any moment.
import type { Dispatcher } from 'undici'
import errors from 'undici/lib/core/errors.js'
import { AnswerTooLong } from './allowance.ts'
import { ConnectFailure } from './connect.ts'

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST'
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | null
}

/** What came of a request. `detail` is for logs and for whoever gave the URL; durations are whole milliseconds. */
export type Outcome =
  | (ReceivedAnswer & { readonly kind: 'response' })
  | (ReceivedAnswer & { readonly kind: 'redirect'; readonly detail: string })
  | (Failure & { readonly durationMs: number })

/** By their names in lower case; one that came several times has several values. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

export interface ReceivedAnswer {
  readonly status: number
  readonly headers: AnswerHeaders
  /** As much of it as may be read. */
  readonly body: Uint8Array
  /** There was more of it. */
  readonly isCut: boolean
  readonly durationMs: number
}

/** Why there is no answer. */
export interface Failure {
  readonly kind: 'timeout' | 'unsafe_address' | 'dns' | 'tls' | 'network'
  readonly detail: string
}

/** Informational answers (RFC 9110 part 15.2) that may come before the answer itself. */
const MAX_INFORMATIONAL = 16

type Stage = 'resolving and connecting' | 'waiting for the answer' | 'reading the answer'

/** The deadline runs from the construction on. `outcome` settles exactly once and never rejects. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<Outcome>
  readonly #startedAt = performance.now()
  readonly #timer: NodeJS.Timeout
  #settle: ((outcome: Outcome) => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #stage: Stage = 'resolving and connecting'
  #status = 0
  #headers: AnswerHeaders = {}
  readonly #mostPieces: number
  #informational = 0
  #chunks: Buffer[] = []

  /** `mostPieces`: of a body: chunks of a few octets each cost the more work. */
  constructor(timeoutMs: number, mostPieces: number) {
    this.#mostPieces = mostPieces
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#timer = setTimeout(() => {
      this.fail({ kind: 'timeout', detail: `not done within ${timeoutMs} ms, still ${this.#stage}` })
      this.#stop()
    }, timeoutMs)
  }

  /** Sends over `pool`, unless the deadline has passed meanwhile. */
  send(pool: Dispatcher, request: ExchangeRequest): void {
    if (this.#settle) pool.dispatch(request, this)
  }

  fail(failure: Failure): void {
    this.#finish({ ...failure, durationMs: this.#elapsedMs() })
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#stage = 'waiting for the answer'
    // The deadline passed while the request waited for its connection: nothing of it is sent.
    if (!this.#settle) this.#stop()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    if (status < 200) {
      if (++this.#informational > MAX_INFORMATIONAL) {
        this.fail({ kind: 'network', detail: `more than ${MAX_INFORMATIONAL} informational answers` })
        this.#stop()
      }
      return
    }
    this.#status = status
    this.#headers = headers
    this.#stage = 'reading the answer'
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
    if (this.#chunks.length <= this.#mostPieces) return
    this.#answered(true)
    this.#stop()
  }

  onResponseEnd(): void {
    this.#answered(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // What the status says stands, however much comes after it.
    if (error instanceof AnswerTooLong && this.#status > 0) this.#answered(true)
    else this.fail(failureFrom(error))
  }

  #answered(isCut: boolean): void {
    const status = this.#status
    const body = Buffer.concat(this.#chunks)
    const answer = { status, headers: this.#headers, body, isCut, durationMs: this.#elapsedMs() }
    if (status >= 300 && status < 400) {
      this.#finish({ ...answer, kind: 'redirect', detail: `answered ${status}; redirects are not followed` })
    } else {
      this.#finish({ ...answer, kind: 'response' })
    }
  }

  #finish(outcome: Outcome): void {
    clearTimeout(this.#timer)
    this.#settle?.(outcome)
    this.#settle = undefined
    this.#chunks = []
  }

  /** Closes the connection: what remains of the answer is of no use. */
  #stop(): void {
    this.#controller?.abort(new errors.RequestAbortedError())
  }

  #elapsedMs(): number {
    return Math.round(performance.now() - this.#startedAt)
  }
}

function failureFrom(error: Error): Failure {
  if (error instanceof ConnectFailure) return { kind: error.kind, detail: error.message }
  if (error instanceof AnswerTooLong) return { kind: 'network', detail: `the head of the answer is ${error.message}` }
  const code = (error as NodeJS.ErrnoException).code ?? error.name
  // With TLS 1.3 a receiver refuses a handshake after we have taken it for complete.
  if (/^ERR_(SSL|TLS)_/.test(code)) return { kind: 'tls', detail: `the TLS connection failed (${code})` }
  return { kind: 'network', detail: `the connection failed before the answer was complete (${code})` }
}
