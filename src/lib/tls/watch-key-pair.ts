// Keeps a certificate and its key as their files have them: what renews them replaces the files, or the links that lead to
// them, and tells nobody. What is not good is not taken, and the former pair stays.
import { type FSWatcher, watch } from 'node:fs'
import { dirname } from 'node:path'
import { type KeyPair, type KeyPairFiles, readKeyPair } from './key-pair.ts'

export interface WatchedKeyPair {
  current(): KeyPair
  /** Why the files were not taken when they were last read; undefined when they were. */
  fault(): string | undefined
  /** Called with every pair that takes the place of another. */
  onChange(take: (pair: KeyPair) => void): void
  /** Reads the files now. */
  readAgain(): Promise<void>
  stop(): void
}

export interface WatchOptions {
  /** A pair was taken in place of another. */
  onRenewed?(pair: KeyPair): void
  /** The files are no pair, and the former one is kept. Once for each fault. */
  onFault?(fault: string): void
  /** After a fault the files are those that are used. */
  onMended?(): void
  /** Where no event comes of a file system, as of a network's. */
  pollMs?: number
}

const POLL_MS = 60_000
/** Both files are written one after the other: read in between they are no pair. */
const SETTLE_MS = 500

/** @throws Error in words when the files are no pair at the beginning */
export async function watchKeyPair(files: KeyPairFiles, options: WatchOptions = {}): Promise<WatchedKeyPair> {
  let pair = await readKeyPair(files)
  let fault: string | undefined
  const takers: ((pair: KeyPair) => void)[] = []

  async function readOnce(): Promise<void> {
    try {
      const read = await readKeyPair(files)
      const mended = fault !== undefined
      fault = undefined
      if (read.cert === pair.cert && read.key === pair.key) return mended ? options.onMended?.() : undefined
      pair = read
      for (const take of takers) take(pair)
      options.onRenewed?.(pair)
    } catch (error) {
      const { message } = error as Error
      if (message !== fault) options.onFault?.(message)
      fault = message
    }
  }
  // One after the other: an older reading must not take the place of a newer one.
  let reading = Promise.resolve()
  const readAgain = () => {
    reading = reading.then(readOnce)
    return reading
  }

  let settling: NodeJS.Timeout | undefined
  const watchers = watchFolders(files, () => {
    settling ??= setTimeout(() => {
      settling = undefined
      void readAgain()
    }, SETTLE_MS).unref()
  })
  const poll = setInterval(() => void readAgain(), options.pollMs ?? POLL_MS).unref()
  return {
    current: () => pair,
    fault: () => fault,
    onChange: (take) => void takers.push(take),
    readAgain,
    stop() {
      clearInterval(poll)
      clearTimeout(settling)
      for (const watcher of watchers) watcher.close()
    },
  }
}

/** Folders and not files: a watch of a file stays with the one that was replaced. Where none can be had the poll does. */
function watchFolders(files: KeyPairFiles, onEvent: () => void): FSWatcher[] {
  const folders = [...new Set([dirname(files.cert), dirname(files.key)])]
  return folders.flatMap((folder) => {
    try {
      return watch(folder, { persistent: false }, onEvent).on('error', () => {})
    } catch {
      return []
    }
  })
}
