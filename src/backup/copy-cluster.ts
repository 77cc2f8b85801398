// Copies the database's files into a vault while the server works: one stream of all files, cut into parts. What they lack
// of each other the log makes up for.
import { createHash } from 'node:crypto'
import { listClusterFiles, readClusterFile } from '../lib/embedded-postgres/cluster-files.ts'
import { type ClusterCopy, type CopiedFile, partName } from './manifest.ts'
import type { Vault } from './vault.ts'

/** A part is what is sent at once and, to S3, what waits on the disk meanwhile. */
const PART_BYTES = 256 * 1024 * 1024

export type Copied = Pick<ClusterCopy, 'folders' | 'files' | 'parts'>

/** `onBytes` hears how much was read. @throws StoreUnavailable, or the file system's error */
export async function copyCluster(
  cluster: string,
  vault: Vault,
  id: string,
  onBytes: (read: number) => void,
): Promise<Copied> {
  const found = await listClusterFiles(cluster)
  const files: CopiedFile[] = []
  const bytes = bytesOfAll(cluster, found.files, (file) => files.push(file))
  let parts = 0
  try {
    for (let next = await bytes.next(); !next.done; next = await bytes.next()) {
      await vault.put(partName(id, ++parts), part(next.value))
    }
  } finally {
    // Where a part could not be put, a file is still open.
    await bytes.return(undefined)
  }
  return { folders: found.folders, files, parts }

  async function* part(first: Buffer): AsyncGenerator<Buffer> {
    let length = 0
    for (let chunk = first; ; ) {
      yield chunk
      onBytes(chunk.length)
      length += chunk.length
      if (length >= PART_BYTES) return
      const next = await bytes.next()
      if (next.done) return
      chunk = next.value
    }
  }
}

async function* bytesOfAll(
  cluster: string,
  paths: readonly string[],
  onFile: (file: CopiedFile) => void,
): AsyncGenerator<Buffer, undefined> {
  for (const path of paths) {
    const digest = createHash('sha256')
    let sizeBytes = 0
    for await (const chunk of readClusterFile(cluster, path)) {
      digest.update(chunk)
      sizeBytes += chunk.length
      yield chunk
    }
    onFile({ path, sizeBytes, sha256: digest.digest('hex') })
  }
}

/** Every file of a copy with its bytes, which are read to their end in this order. @throws DamagedBytes */
export async function* readCluster(
  vault: Vault,
  id: string,
  { files, parts }: Copied,
): AsyncGenerator<{ file: CopiedFile; bytes: AsyncIterable<Buffer> }> {
  const source = partsOf(vault, id, parts)
  let rest: Buffer = Buffer.alloc(0)
  for (const file of files) yield { file, bytes: cut(file.sizeBytes) }

  async function* cut(sizeBytes: number): AsyncGenerator<Buffer> {
    for (let missing = sizeBytes; missing > 0; ) {
      if (rest.length === 0) {
        const next = await source.next()
        if (next.done) throw new Error(`backup ${id} ends before its last file`)
        rest = next.value
        continue
      }
      const chunk = rest.subarray(0, missing)
      rest = rest.subarray(chunk.length)
      missing -= chunk.length
      yield chunk
    }
  }
}

async function* partsOf(vault: Vault, id: string, parts: number): AsyncGenerator<Buffer, undefined> {
  for (let part = 1; part <= parts; part++) yield* vault.get(partName(id, part))
}
