// What one exchange may take from its connection: a stranger's answer costs memory and work for each octet and each piece of
// it, whatever part of HTTP the octets are. Knows nothing of HTTP: it stands between the socket and who reads it.
import type { Socket } from 'node:net'

/** A piece that was read by itself counts for so much at least: an answer of 64 KiB comes in 1,024 of them at most. */
export const LEAST_PIECE_BYTES = 64

/** Why the connection was given up: the answer was longer than it may be. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'

  constructor(mostBytes: number) {
    super(`more than ${mostBytes} octets, or too many pieces`)
  }
}

/** The allowance of a connection, begun anew by each exchange on it. What comes between two of them counts as the first's. */
export class Allowance {
  readonly #mostBytes: number
  #left: number

  /** `mostBytes`: of all that comes: heads, framing and trailers too. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
    this.#left = mostBytes
  }

  begin(): void {
    this.#left = this.#mostBytes
  }

  /**
   * Has the socket's reader get what is allowed and not an octet more. Beyond that the socket is destroyed with
   * `AnswerTooLong`, a turn later, so that what was allowed is looked at first.
   */
  limit(socket: Socket): void {
    const read = socket.read.bind(socket)
    socket.read = (size?: number) => {
      if (this.#left < 0) return null
      const piece: Buffer | null = read(size)
      if (piece === null) return null
      const before = this.#left
      this.#left -= Math.max(piece.length, LEAST_PIECE_BYTES)
      if (piece.length <= before) return piece
      this.#left = -1
      process.nextTick(() => socket.destroy(new AnswerTooLong(this.#mostBytes)))
      return before > 0 ? piece.subarray(0, before) : null
    }
  }
}
