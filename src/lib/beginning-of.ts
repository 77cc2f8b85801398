// The first octets of a stream, which is not read any further.
import type { Readable } from 'node:stream'

/** As many as there are, up to `most`. */
export async function beginningOf(bytes: Readable, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  // Leaving the loop destroys the stream.
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= most) break
  }
  return Buffer.concat(chunks).subarray(0, most)
}
