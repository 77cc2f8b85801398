// The package brings no types of its own: of it, what we use.
declare module 'yazl' {
  import type { EventEmitter } from 'node:events'
  import type { Readable } from 'node:stream'

  interface EntryOptions {
    /** In octets, without which the length of the archive cannot be known before its end. */
    size: number
    compress: boolean
    mtime: Date
    mode: number
  }

  export class ZipFile extends EventEmitter<{ error: [Error] }> {
    readonly outputStream: Readable
    addReadStreamLazy(
      path: string,
      options: EntryOptions,
      open: (opened: (error: Error | null, bytes?: Readable) => void) => void,
    ): void
    /** `sized`: called, at once where all sizes are known, with the length of the whole in octets. */
    end(sized: (bytes: number) => void): void
  }
}
