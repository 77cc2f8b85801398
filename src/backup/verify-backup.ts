// Reads a whole backup to its last octet and says what of it does not hold. Changes nothing.
import { createHash } from 'node:crypto'
import { asObjectKey } from '../lib/object-store.ts'
import { DamagedBytes } from '../lib/sealed-stream.ts'
import { parseSecretKeys } from '../lib/secret-box.ts'
import { walSegments } from '../lib/wal-names.ts'
import { readCluster } from './copy-cluster.ts'
import {
  type ClusterCopy,
  objectListName,
  readManifest,
  sealedObjectName,
  secretKeysName,
  walName,
} from './manifest.ts'
import type { Vault } from './vault.ts'

export interface Verified {
  id: string
  files: number
  segments: number
  objects: number
  /** What is damaged or missing, by name; some of it where it is much. */
  faults: string[]
}

const MOST_FAULTS = 20

/** @throws StoreUnavailable when the place cannot be read */
export async function verifyBackup(vault: Vault, id: string, onObject: (count: number) => void): Promise<Verified> {
  const verified: Verified = { id, files: 0, segments: 0, objects: 0, faults: [] }
  const look = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      // Damage may show when a stream is unpacked, before its seal is looked at.
      if (!(error instanceof DamagedBytes)) throw error
      if (verified.faults.length < MOST_FAULTS) verified.faults.push(error.message)
    }
  }
  await look(async () => {
    const { cluster } = await readManifest(vault, id)
    if (cluster) {
      await look(async () => {
        verified.files = await readFiles(vault, id, cluster)
      })
      for (const segment of walSegments(cluster.firstSegment, cluster.lastSegment)) {
        await look(() => readAll(vault, walName(segment)))
        verified.segments++
      }
    }
    await look(async () => void parseSecretKeys((await vault.read(secretKeysName(id))).toString('utf8').trim()))
    await look(async () => {
      for await (const key of listedObjects(vault, id)) {
        await look(() => readAll(vault, sealedObjectName(key)))
        onObject(++verified.objects)
      }
    })
  })
  return verified
}

async function readFiles(vault: Vault, id: string, cluster: ClusterCopy): Promise<number> {
  let files = 0
  for await (const { file, bytes } of readCluster(vault, id, cluster)) {
    const digest = createHash('sha256')
    for await (const chunk of bytes) digest.update(chunk)
    if (digest.digest('hex') !== file.sha256) throw new DamagedBytes(`${file.path} of backup ${id} is not what it was`)
    files++
  }
  return files
}

async function readAll(vault: Vault, name: string): Promise<void> {
  for await (const chunk of vault.get(name)) void chunk
}

/** The keys of the objects that the backup was made with. */
async function* listedObjects(vault: Vault, id: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of vault.get(objectListName(id))) {
    const lines = `${rest}${chunk.toString('utf8')}`.split('\n')
    rest = lines.pop() as string
    for (const line of lines) {
      const key = line.slice(0, line.indexOf(' '))
      if (asObjectKey(key) === undefined) throw new DamagedBytes(`the list of objects of backup ${id} names ${key}`)
      yield key
    }
  }
}
