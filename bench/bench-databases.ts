// A database of its own for each bench, cloned from one that is migrated once, on a server of the bench's own.
import { rm } from 'node:fs/promises'
import pino from 'pino'
import { openServiceDatabase } from '../src/database.ts'
import { keepFeedEpoch } from '../src/events/epoch.ts'
import { startEmbeddedPostgres } from '../src/lib/embedded-postgres.ts'
import { openDatabase } from '../src/lib/sql.ts'
import { launchDebianPostgres } from '../test/support/debian-postgres.ts'
import { temporaryFolder } from '../test/support/temporary-folder.ts'

export interface BenchDatabases {
  /** Lends an empty, migrated database, that nothing else uses, for the time of the work, and a folder for its files. */
  lend<T>(name: string, work: (url: string, folder: string) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

/** On the server that the service brings along, with its own settings. */
export async function startBenchDatabases(): Promise<BenchDatabases> {
  const folder = await temporaryFolder('mdk-bench-')
  const quiet = { info: () => {}, error: (message: string) => void process.stderr.write(`${message}\n`) }
  const postgres = await startEmbeddedPostgres({ dataDir: folder, hold: 'service', log: quiet })
  return databasesOn({
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  })
}

/** On the server that Debian installs, with the settings that it comes with. */
export async function startStockDatabases(): Promise<BenchDatabases> {
  return databasesOn(await launchDebianPostgres({ fsync: 'on' }))
}

async function databasesOn(postgres: { url: string; stop(): Promise<void> }): Promise<BenchDatabases> {
  const { stop } = postgres
  const template = new URL(postgres.url).pathname.slice(1)
  const admin = (statement: string) => administer(urlOf(postgres.url, 'postgres'), statement)
  try {
    const config = { databaseUrl: postgres.url, dataDir: '' }
    const { database, close } = await openServiceDatabase({ config, log: pino({ level: 'silent' }), hold: 'command' })
    await keepFeedEpoch(database)
    await close()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    async lend(name, work) {
      const files = await temporaryFolder(`mdk-bench-${name}-`)
      await admin(`create database bench_${name} template ${template}`)
      try {
        return await work(urlOf(postgres.url, `bench_${name}`), files)
      } finally {
        await admin(`drop database bench_${name} with (force)`)
        await admin('checkpoint')
        await rm(files, { recursive: true, force: true })
      }
    },
    stop,
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const database = openDatabase({ url, connections: 1 })
  try {
    await database.pool.query(statement)
  } finally {
    await database.end()
  }
}

function urlOf(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
