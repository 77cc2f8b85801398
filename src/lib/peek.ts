// A stream of octets whose beginning has been looked at, and is still there.
import { Readable } from 'node:stream'

export interface Peeked {
  /** As many octets as were asked for, or all there are; more when they came together. */
  beginning: Buffer
  /** The same octets from their beginning on. Whoever does not want them ends the stream. */
  whole(): Readable
}

/** Reads `least` octets of it. The caller reads the rest, or destroys `bytes`. */
export async function peek(bytes: Readable, least: number): Promise<Peeked> {
  const pieces = bytes[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let beginning = Buffer.alloc(0)
  while (beginning.length < least) {
    const { value, done } = await pieces.next()
    if (done) break
    beginning = Buffer.concat([beginning, value])
  }
  return {
    beginning,
    whole() {
      const whole = Readable.from(together(beginning, pieces), { objectMode: false })
      // Whoever reads it may go before the first piece.
      return whole.once('close', () => bytes.destroy())
    },
  }
}

async function* together(beginning: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield beginning
  yield* { [Symbol.asyncIterator]: () => rest }
}
