// Octets that are given to a browser as an image, if they begin like one.
import type { Readable } from 'node:stream'
import { imageTypeOf } from './image-type.ts'
import { peek } from './peek.ts'

const LOOKED_AT_BYTES = 64

/** The same octets, by what they are; undefined, and the stream ended, when they are no image. */
export async function knownImage(bytes: Readable): Promise<{ mediaType: string; bytes: Readable } | undefined> {
  const { beginning, whole } = await peek(bytes, LOOKED_AT_BYTES)
  const mediaType = imageTypeOf(beginning)
  if (mediaType === undefined) {
    bytes.destroy()
    return undefined
  }
  return { mediaType, bytes: whole() }
}
