// A file to upload, from wherever it comes: its size and digest, and its bytes as often as they are needed.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'

/** The path of a file, bytes, a Blob or File, or a stream, which is read into memory first. */
export type FileSource = string | Uint8Array | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

export interface OpenedFile {
  sizeBytes: number
  /** Lower-case hex. */
  sha256: string
  /** What the source itself is called, if anything. */
  filename: string | undefined
  mediaType: string | undefined
  /** The bytes from the start, anew for each attempt. */
  open(): Readable
}

/** No file may be larger, so nothing larger is kept in memory. specification.md#limits-of-a-message */
const MAX_FILE_BYTES = 25 * 1024 * 1024

/** Reads the source once, hashing as it goes. @throws RangeError when it is empty or larger than 25 MiB */
export async function openFile(source: FileSource): Promise<OpenedFile> {
  const { open, filename, mediaType } = await repeatable(source)
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of open()) {
    sizeBytes += chunk.length
    if (sizeBytes > MAX_FILE_BYTES) throw new RangeError('A file may have 25 MiB at most.')
    hash.update(chunk)
  }
  if (sizeBytes === 0) throw new RangeError('The file is empty.')
  return { sizeBytes, sha256: hash.digest('hex'), filename, mediaType, open }
}

async function repeatable(source: FileSource): Promise<Pick<OpenedFile, 'open' | 'filename' | 'mediaType'>> {
  if (typeof source === 'string') {
    if (!(await stat(source)).isFile()) throw new TypeError(`${source} is not a file.`)
    return { open: () => createReadStream(source), filename: basename(source), mediaType: undefined }
  }
  if (source instanceof Blob) {
    const name = (source as { name?: unknown }).name
    return {
      open: () => Readable.from(source.stream() as AsyncIterable<Uint8Array>),
      filename: typeof name === 'string' ? name : undefined,
      mediaType: source.type || undefined,
    }
  }
  const bytes = source instanceof Uint8Array ? source : await readAll(source)
  return { open: () => Readable.from([bytes]), filename: undefined, mediaType: undefined }
}

async function readAll(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > MAX_FILE_BYTES) throw new RangeError('A file may have 25 MiB at most.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
