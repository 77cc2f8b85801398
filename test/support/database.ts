// A database of its own for each test file, cloned from a template that is migrated once a server and schema.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { DATABASE_SCHEMA } from '../../src/database-schema.ts'
import { keepFeedEpoch } from '../../src/events/epoch.ts'
import { startEmbeddedPostgres } from '../../src/lib/embedded-postgres.ts'
import { migrate } from '../../src/lib/migrate.ts'
import { readSchema } from '../../src/lib/schema-files.ts'
import { type Database, openDatabase } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { temporaryFolder } from './temporary-folder.ts'

export interface TestDatabase {
  url: string
  database: Database
  drop(): Promise<void>
}

/**
 * A fresh database on the server that MDK_TEST_SERVER_URL names (`npm test` starts one), or on one of this
 * process, which `alone` asks for: transactions that stay open hold back the event feed of a whole server. Dropped
 * after the tests.
 */
export async function createTestDatabase(options: { alone?: boolean } = {}): Promise<TestDatabase> {
  const shared = options.alone ? undefined : process.env.MDK_TEST_SERVER_URL
  const server = shared ?? (await startServer())
  const name = `test_${newId().replaceAll('-', '')}`
  const admin = openDatabase({ url: server, connections: 1 })
  try {
    const template = await prepareTemplate(admin, server)
    await admin.pool.query(`create database ${name} template ${template} strategy file_copy`)
  } finally {
    await admin.end()
  }
  const url = urlOf(server, name)
  const database = openDatabase({ url })
  let dropped: Promise<void> | undefined
  const dropNow = async () => {
    try {
      for (const work of beforeDrop.get(database) ?? []) await work()
    } finally {
      await database.end().catch(() => {})
      // A server of this process goes with everything in it.
      if (!ownServer) await dropDatabase(server, name)
    }
  }
  const drop = () => {
    dropped ??= dropNow()
    return dropped
  }
  drops.push(drop)
  after(drop)
  return { url, database, drop }
}

/** What is still to be asked of a database before it goes. */
const beforeDrop = new WeakMap<Database, (() => Promise<void>)[]>()

/** Does something at the end of the tests, while the database is still there. */
export function atTheEnd(database: Database, work: () => Promise<void>): void {
  beforeDrop.set(database, [...(beforeDrop.get(database) ?? []), work])
}

/** Hooks run in the order in which they came: the server of this process was there before its databases. */
const drops: (() => Promise<void>)[] = []

let ownServer: Promise<string> | undefined

/** A server for this process alone, over a copy of the folder that MDK_TEST_CLUSTER names, or made anew without `npm test`. */
function startServer(): Promise<string> {
  ownServer ??= (async () => {
    const folder = await temporaryFolder('mdk-test-')
    if (process.env.MDK_TEST_CLUSTER) await copyFolder(process.env.MDK_TEST_CLUSTER, folder)
    const log = { info: () => {}, error: (message: string) => void process.stderr.write(`${message}\n`) }
    // Tests kill the server, and never the machine: what the kernel has been given is there.
    const server = await startEmbeddedPostgres({ dataDir: folder, hold: 'service', log, settings: { fsync: 'off' } })
    after(async () => {
      await Promise.all(drops.map((drop) => drop()))
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    })
    return server.url
  })()
  return ownServer
}

/** With its owners and modes, into a folder that is there. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', `${from}/.`, to])
}

async function dropDatabase(server: string, name: string): Promise<void> {
  const admin = openDatabase({ url: server, connections: 1 })
  await admin.pool.query(`drop database if exists ${name} with (force)`)
  await admin.end()
}

/** The name of the migrated template, which whoever comes first makes. */
export async function prepareTemplate(admin: Database, server: string): Promise<string> {
  const { migrations, functions } = await readSchema(DATABASE_SCHEMA)
  const content = createHash('sha256').update([...migrations, ...functions].map((file) => file.checksum).join())
  const name = `template_${content.digest('hex').slice(0, 16)}`
  const client = await admin.connect('mdk tests')
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', ['mdk test template'])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return name
    await client.query(`create database ${name}_unfinished`)
    const database = openDatabase({ url: urlOf(server, `${name}_unfinished`), connections: 2 })
    await migrate(database, DATABASE_SCHEMA)
    await keepFeedEpoch(database)
    await database.end()
    await client.query(`alter database ${name}_unfinished rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

function urlOf(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
