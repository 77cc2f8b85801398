// Octets that are given to a browser as a PDF file, if they begin like one.
import type { Readable } from 'node:stream'
import { peek } from './peek.ts'

/** Within which every reader looks for the mark: some programs write a line of their own before it. */
const LOOKED_AT_BYTES = 1_024

/** The same octets; undefined, and the stream ended, when they are none. */
export async function knownPdf(bytes: Readable): Promise<Readable | undefined> {
  const { beginning, whole } = await peek(bytes, LOOKED_AT_BYTES)
  if (beginning.subarray(0, LOOKED_AT_BYTES).includes('%PDF-')) return whole()
  bytes.destroy()
  return undefined
}
