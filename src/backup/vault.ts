// A place of backups as those see it who have its passphrase: files that are packed, sealed, and open under their own names.
// docs/adr/0077-backup.md has the format.
import { createSecretKey, hkdfSync, type KeyObject, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { BackupPlace } from '../lib/backup-place.ts'
import { DamagedBytes, openStream, sealStream } from '../lib/sealed-stream.ts'
import type { Database } from '../lib/sql.ts'
import { systemOf } from './system-of.ts'

export interface Vault {
  /** Which database's backups lie here: its system identifier. */
  readonly database: string
  /** Durable when it resolves. @throws StoreUnavailable, or whatever the source throws */
  put(name: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /** Ends with DamagedBytes when what lies there is not what was put. @throws DamagedBytes when it is not there */
  get(name: string): AsyncIterable<Buffer>
  /** As `get`, of what fits in memory. */
  read(name: string): Promise<Buffer>
  has(name: string): Promise<boolean>
  list(folder: string): AsyncIterable<string>
  delete(name: string): Promise<void>
}

/** It is no place of backups, another's, or this is not its passphrase. The message says which. */
class VaultClosed extends Error {
  override name = 'VaultClosed'
}

const HEAD = 'mdk-backup.json'
const FORMAT = 1
/** RFC 7914; 128 MiB of memory, for as long as a passphrase is tried. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1 }
const SALT_BYTES = 16
const KEY_BYTES = 32
/** A head is a few hundred octets; whatever is longer is none. */
const MOST_HEAD_BYTES = 10_000

interface Head {
  format: number
  database: string
  salt: string
  /** Made of the key, and tells whether a passphrase is the one. */
  check: string
}

/** Opens the place for backups of this database, making it one when it is not yet. @throws VaultClosed, StoreUnavailable */
export async function makeVault(place: BackupPlace, passphrase: KeyObject, database: Database): Promise<Vault> {
  const system = await systemOf(database)
  const head = (await readHead(place)) ?? (await makeHead(place, passphrase, system, database))
  if (head.database === system) return vaultOf(place, head, passphrase)
  throw new VaultClosed(
    `the backups there are of another database (${head.database}, and this is ${system}): give each a place of its own`,
  )
}

/** Two that begin at once must agree on the salt, and a bucket has no way to put what is not there yet. */
async function makeHead(place: BackupPlace, passphrase: KeyObject, system: string, database: Database): Promise<Head> {
  const session = await database.connect('mdk backup')
  try {
    await session.query('select pg_advisory_lock(hashtextextended($1, 0))', ['mdk makes a place for backups'])
    const found = await readHead(place)
    if (found) return found
    const salt = randomBytes(SALT_BYTES)
    const check = checkOf(await masterOf(passphrase, salt)).toString('base64')
    const head: Head = { format: FORMAT, database: system, salt: salt.toString('base64'), check }
    await place.put(HEAD, bytesOf(`${JSON.stringify(head)}\n`))
    return head
  } finally {
    await session.end().catch(() => {})
  }
}

/** @throws VaultClosed when there is none, or the passphrase is another; StoreUnavailable */
export async function openVault(place: BackupPlace, passphrase: KeyObject): Promise<Vault> {
  const head = await readHead(place)
  if (!head) throw new VaultClosed(`there are no backups: ${HEAD} is not there`)
  return vaultOf(place, head, passphrase)
}

async function vaultOf(place: BackupPlace, head: Head, passphrase: KeyObject): Promise<Vault> {
  const master = await masterOf(passphrase, Buffer.from(head.salt, 'base64'))
  const [expected, check] = [Buffer.from(head.check, 'base64'), checkOf(master)]
  if (expected.length !== check.length || !timingSafeEqual(expected, check)) {
    throw new VaultClosed('MDK_BACKUP_KEY_FILE holds another passphrase than these backups were made with')
  }
  return openedVault(place, head.database, master)
}

function openedVault(place: BackupPlace, database: string, master: KeyObject): Vault {
  async function* get(name: string): AsyncGenerator<Buffer> {
    const found = await place.get(name)
    if (!found) throw new DamagedBytes(`${name} is not there`)
    const unpacked = pipeline(Readable.from(openStream(master, name, found)), createZstdDecompress(), ignore)
    yield* unpacked.iterator() as AsyncIterable<Buffer>
  }
  return {
    database,
    async put(name, source) {
      const packed = pipeline(Readable.from(source), createZstdCompress(), ignore)
      try {
        await place.put(name, sealStream(master, name, packed))
      } finally {
        // Where nobody began to read, this ends the source.
        packed.destroy()
      }
    },
    get,
    read: async (name) => Buffer.concat(await Array.fromAsync(get(name))),
    has: place.has,
    list: place.list,
    delete: place.delete,
  }
}

/** Whoever reads the end of a pipeline gets its error. */
function ignore(): void {}

async function readHead(place: BackupPlace): Promise<Head | undefined> {
  const source = await place.get(HEAD)
  if (!source) return undefined
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of source) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MOST_HEAD_BYTES) break
  }
  const head = parseHead(Buffer.concat(chunks).toString('utf8'))
  if (!head) throw new VaultClosed(`${HEAD} is damaged: put back a copy of it, without which nothing there opens`)
  if (head.format !== FORMAT) {
    throw new VaultClosed(`the backups there have format ${head.format}, and this mdk knows ${FORMAT}`)
  }
  return head
}

function parseHead(text: string): Head | undefined {
  try {
    const head = JSON.parse(text) as Partial<Head>
    const texts = [head.database, head.salt, head.check]
    return typeof head.format === 'number' && texts.every((value) => typeof value === 'string')
      ? (head as Head)
      : undefined
  } catch {
    return undefined
  }
}

async function masterOf(passphrase: KeyObject, salt: Uint8Array): Promise<KeyObject> {
  const derive = promisify<Uint8Array, Uint8Array, number, object, Buffer>(scrypt)
  const bytes = await derive(passphrase.export(), salt, KEY_BYTES, { ...SCRYPT, maxmem: 256 * SCRYPT.N * SCRYPT.r })
  return createSecretKey(bytes)
}

function checkOf(master: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', 'mdk/backup-check', SALT_BYTES))
}

/** A text as the source of a file. */
export async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
