// Bytes that end with an error unless they are those that were announced: whoever writes them down keeps nothing of
// others.
import { createHash } from 'node:crypto'
import { SizeMismatch } from '../lib/object-store.ts'
import { streamed } from '../lib/streamed-bytes.ts'

/** The bytes have another digest than was announced. */
export class DigestMismatch extends Error {
  override name = 'DigestMismatch'
}

/** `sha256` in lower-case hex. @throws SizeMismatch as soon as too much comes, DigestMismatch at the end */
export async function* verified(
  source: AsyncIterable<Uint8Array>,
  announced: { sizeBytes: number; sha256: string },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of source) {
    sizeBytes += chunk.length
    if (sizeBytes > announced.sizeBytes) throw new SizeMismatch(`more than ${announced.sizeBytes} bytes came`)
    hash.update(chunk)
    streamed(chunk.length)
    yield chunk
  }
  if (sizeBytes < announced.sizeBytes) throw new SizeMismatch(`${sizeBytes} of ${announced.sizeBytes} bytes came`)
  if (hash.digest('hex') !== announced.sha256) throw new DigestMismatch('other bytes came than were announced')
}
