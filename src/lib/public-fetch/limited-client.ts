// A connection of undici's whose every exchange has its allowance. Knows nothing of what is sent.
import type { buildConnector, Dispatcher } from 'undici'
import Client from 'undici/lib/dispatcher/client.js'
import { Allowance, MAX_ANSWER_BYTES } from './allowance.ts'

/** Has one exchange at a time, so that all that is read since one began is its own. */
export class LimitedClient extends Client {
  readonly #allowance: Allowance

  constructor(origin: string | URL, options: Client.Options, connector: buildConnector.connector) {
    const allowance = new Allowance()
    super(origin, {
      ...options,
      pipelining: 1,
      // The allowance is met first. A bound of undici's own would cost work again with each header beyond it.
      maxHeaderSize: MAX_ANSWER_BYTES,
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
