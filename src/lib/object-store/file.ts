// Objects as local files: durable before acknowledged, never half visible. Knows nothing of what they hold.
//
// An object is written to `incoming/<process>.<uuid>`, synced, renamed to its place, and the folder of that place is
// synced (a rename is durable only then). What lies in `incoming` of a process that has ended was left by a crash.
import { createHash, hash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { makeFolder } from '../make-folder.ts'
import {
  type ByteRange,
  LIST_PAGE,
  type ObjectKey,
  type ObjectSource,
  type ObjectStore,
  readObjectKey,
  SizeMismatch,
  type StoredObject,
  StoreUnavailable,
} from '../object-store.ts'
import { ownMark } from '../process-mark.ts'
import { streamed } from '../streamed-bytes.ts'
import { createFolderSync, type FolderSync } from './folder-sync.ts'
import { listFiles } from './list-files.ts'

const READ_BYTES = 64 * 1024

/** Opens the store below `folder`, which is made if need be, readable by its owner only. @throws StoreUnavailable */
export async function openFileStore(folder: string): Promise<ObjectStore> {
  const incoming = join(folder, 'incoming')
  const owner = ownMark()
  const newTemporary = () => join(incoming, `${owner}.${randomUUID()}`)
  await io(() => makeFolder(incoming, 0o700))
  const folders = createFolderSync()
  await io(() => Promise.all([folders.sync(folder), folders.sync(dirname(folder))]))

  return {
    async put(key, source, sizeBytes) {
      const temporary = newTemporary()
      try {
        const stored = await writeDurably(temporary, source)
        if (sizeBytes !== undefined && sizeBytes !== stored.sizeBytes) {
          throw new SizeMismatch(`${stored.sizeBytes} bytes came where ${sizeBytes} were announced.`)
        }
        await io(() => moveDurably(folders, folder, temporary, pathOf(folder, key)))
        return stored
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined)
        throw error
      }
    },
    async get(key, range) {
      const file = await unlessAbsent(() => open(pathOf(folder, key)))
      return file && streamOf(file, range)
    },
    async head(key) {
      const found = await unlessAbsent(() => stat(pathOf(folder, key)))
      return found && { sizeBytes: found.size }
    },
    async delete(key) {
      await io(() => rm(pathOf(folder, key), { force: true }))
    },
    async *list(pageSize = LIST_PAGE) {
      const pages = listFiles(folder, pageSize)
      for (let next = await io(() => pages.next()); !next.done; next = await io(() => pages.next())) yield next.value
    },
    async check() {
      const temporary = newTemporary()
      try {
        await writeDurably(temporary, Buffer.from('check'))
      } finally {
        await rm(temporary, { force: true }).catch(() => undefined)
      }
    },
  }
}

/**
 * `messages/<tenant>/<id>` lies in `messages/<xx>/<tenant>.<id>`, where xx are the digits of a UUIDv7 (RFC 9562 §5.7)
 * that change every 65.5 seconds. So objects spread evenly over 256 folders of each kind, however many tenants there
 * are, while those put at the same time share a folder and with it the sync that makes their names durable.
 */
function pathOf(folder: string, key: ObjectKey): string {
  const [kind = '', owner = '', id = ''] = readObjectKey(key).split('/')
  return join(folder, kind, id.slice(6, 8), `${owner}.${id}`)
}

async function writeDurably(path: string, source: ObjectSource): Promise<StoredObject> {
  const file = await io(() => open(path, 'wx', 0o600))
  try {
    const stored = source instanceof Uint8Array ? await writeWhole(file, source) : await writeStream(file, source)
    await io(() => file.datasync())
    return stored
  } finally {
    await file.close().catch(() => undefined)
  }
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<StoredObject> {
  await io(() => file.writeFile(bytes))
  return { sizeBytes: bytes.byteLength, sha256: hash('sha256', bytes, 'hex') }
}

async function writeStream(file: FileHandle, source: AsyncIterable<Uint8Array>): Promise<StoredObject> {
  const digest = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of source) {
    digest.update(chunk)
    sizeBytes += chunk.byteLength
    await io(() => file.writeFile(chunk))
  }
  return { sizeBytes, sha256: digest.digest('hex') }
}

async function moveDurably(folders: FolderSync, root: string, from: string, to: string): Promise<void> {
  await folders.ensure(root, dirname(to))
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') folders.forget()
    throw error
  })
  await folders.sync(dirname(to))
}

function streamOf(file: FileHandle, range: ByteRange | undefined): Readable {
  let position = range?.start ?? 0
  const end = range ? range.end + 1 : Number.POSITIVE_INFINITY
  return new Readable({
    highWaterMark: READ_BYTES,
    read() {
      const length = Math.min(READ_BYTES, end - position)
      if (length <= 0) {
        this.push(null)
        return
      }
      file.read(Buffer.allocUnsafe(length), 0, length, position).then(
        ({ bytesRead, buffer }) => {
          position += bytesRead
          streamed(bytesRead)
          this.push(bytesRead ? buffer.subarray(0, bytesRead) : null)
        },
        (error) => this.destroy(unavailable(error)),
      )
    },
    destroy(error, done) {
      file.close().then(
        () => done(error),
        () => done(error),
      )
    },
  })
}

async function unlessAbsent<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw unavailable(error)
  }
}

async function io<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unavailable(error)
  }
}

/** The path stays in the cause, which is for logs, and out of the message. */
function unavailable(error: unknown): Error {
  if (error instanceof RangeError) return error
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
  return new StoreUnavailable(`The object store does not answer (${code}).`, { cause: error })
}
