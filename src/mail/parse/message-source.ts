// How a message gets to a thread: piece by piece, so that no copy of the whole lies on this side. Knows nothing of
// what the thread does with it.
import { MAX_MESSAGE_BYTES } from './parsed-message.ts'

/** A stream, or `[buffer]`. */
export type MessageSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface Sent {
  /** A copy of the first bytes, which hold the header, for a second try. */
  beginning: Uint8Array[]
  /** The message is larger than any we take: the thread has nothing of it. */
  tooLarge: boolean
}

/** Sends a message to a thread and keeps a copy of its first `keepBytes`. @throws what the source throws */
export async function sendMessage(
  thread: { send(piece: Uint8Array): void; forget(): void },
  source: MessageSource,
  keepBytes: number,
): Promise<Sent> {
  const beginning: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const piece of source) {
      const missing = keepBytes - sizeBytes
      if (missing > 0) beginning.push(Uint8Array.prototype.slice.call(piece, 0, missing))
      sizeBytes += piece.byteLength
      if (sizeBytes > MAX_MESSAGE_BYTES) {
        thread.forget()
        return { beginning, tooLarge: true }
      }
      thread.send(piece)
    }
  } catch (error) {
    thread.forget()
    throw error
  }
  return { beginning, tooLarge: false }
}
