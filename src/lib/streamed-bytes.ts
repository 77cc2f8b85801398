// Frees the buffers that streamed bytes leave behind. V8 looks at memory outside its heap only when 64 MB of it have
// gathered, and a few transfers at once make that much in a moment.

/** A collection of what is young takes a millisecond or two: not felt beside the copying of so many bytes. */
const COLLECT_AFTER_BYTES = 16 * 1024 * 1024

let sinceCollected = 0

/** To be called with the bytes of every buffer that passes through. Does nothing where Node.js runs without --expose-gc. */
export function streamed(bytes: number): void {
  sinceCollected += bytes
  if (sinceCollected < COLLECT_AFTER_BYTES) return
  sinceCollected = 0
  globalThis.gc?.({ type: 'minor', execution: 'sync' })
}
