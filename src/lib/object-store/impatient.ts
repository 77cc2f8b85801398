// Reads from a connection that may fall silent in the middle. Knows nothing of what it carries.
import { Readable } from 'node:stream'

/**
 * The same bytes, or the error of `silent` once nothing has come for so long that was waited for: while nobody reads on,
 * nothing needs to come.
 */
export function impatient(source: Readable, withinMs: number, silent: () => Error): Readable {
  async function* chunks(): AsyncGenerator<Buffer> {
    const reading = source.iterator()
    try {
      for (;;) {
        const timer = setTimeout(() => source.destroy(silent()), withinMs)
        const next = await reading.next().finally(() => clearTimeout(timer))
        if (next.done) return
        yield next.value
      }
    } finally {
      source.destroy()
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}
