// A connection of undici's whose every exchange has its allowance. Knows nothing of what is sent.
import type { buildConnector, Dispatcher } from 'undici'
import Client from 'undici/lib/dispatcher/client.js'
import { Allowance } from './allowance.ts'

/** Heads have no reason to be longer, whatever an answer may have. */
const MAX_HEAD_BYTES = 64 * 1024

/** Has one exchange at a time, so that all that is read since one began is its own. */
export class LimitedClient extends Client {
  readonly #allowance: Allowance

  /** `mostAnswerBytes`: of each answer, with all that is about it. */
  constructor(
    origin: string | URL,
    options: Client.Options,
    { connector, mostAnswerBytes }: { connector: buildConnector.connector; mostAnswerBytes: number },
  ) {
    const allowance = new Allowance(mostAnswerBytes)
    super(origin, {
      ...options,
      pipelining: 1,
      // The allowance is met first. A bound of undici's own would cost work again with each header beyond it.
      maxHeaderSize: MAX_HEAD_BYTES,
      connect: (target, callback) =>
        connector(target, (...[error, socket]) => {
          if (error) return callback(error, null)
          allowance.limit(socket)
          callback(null, socket)
        }),
    })
    this.#allowance = allowance
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    this.#allowance.begin()
    return super.dispatch(options, handler)
  }
}
