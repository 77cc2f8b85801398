// Clusters of Debian's PostgreSQL, each its own and empty, with the tools that the embedded server lacks.
import { execFile, spawn } from 'node:child_process'
import { chownSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

export interface DebianPostgres {
  url: string
  /** Runs one of its tools, such as pg_dump, as the server's user. */
  tool(name: string, ...args: string[]): Promise<void>
  /** A folder that the server's user may write to. */
  folder: string
}

/** Initializes a cluster and starts it, reached by its socket alone. It goes after the tests. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const bin = join('/usr/lib/postgresql', readdirSync('/usr/lib/postgresql').sort().at(-1) ?? '', 'bin')
  const identity = { uid: await idOf('-u'), gid: await idOf('-g') }
  const folder = await temporaryFolder('mdk-pg-')
  after(() => rm(folder, { recursive: true, force: true }))
  chownSync(folder, identity.uid, identity.gid)
  const data = join(folder, 'data')
  const tool = async (name: string, ...args: string[]) => {
    await promisify(execFile)(join(bin, name), args, { ...identity, cwd: folder })
  }
  await tool('initdb', '--auth=trust', '--username=postgres', '--no-sync', '-D', data)
  const settings = ['-c', 'listen_addresses=', '-c', 'fsync=off', '-k', folder]
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...identity, cwd: folder, stdio: 'ignore' })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  after(() => {
    server.kill('SIGQUIT')
    return ended
  })
  const url = `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}`
  const probe = openDatabase({ url, connections: 1 })
  await until('the server answers', () =>
    probe.rows(sql`select`).then(
      () => true,
      () => false,
    ),
  )
  await probe.end()
  return { url, tool, folder }
}

async function idOf(flag: '-u' | '-g'): Promise<number> {
  return Number((await promisify(execFile)('id', [flag, 'postgres'])).stdout)
}
