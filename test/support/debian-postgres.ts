// Clusters of Debian's PostgreSQL, each its own and empty, with the tools that the embedded server lacks.
import { execFile, spawn } from 'node:child_process'
import { chownSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import { settingArguments } from '../../src/lib/embedded-postgres/settings.ts'
import { socketUrl } from '../../src/lib/embedded-postgres/socket-folder.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

export interface DebianPostgres {
  url: string
  /** Runs one of its tools, such as pg_dump, as the server's user. */
  tool(name: string, ...args: string[]): Promise<void>
  /** A folder that the server's user may write to. */
  folder: string
  /** Takes the server away, with its folder. */
  stop(): Promise<void>
}

/**
 * Initializes a cluster and starts it, reached by its socket alone. It goes after the tests. With `standbyOf` it follows
 * that primary, under the name `standby`.
 */
export async function startDebianPostgres(
  settings: Record<string, string> = {},
  standbyOf?: DebianPostgres,
): Promise<DebianPostgres> {
  const cluster = await launchDebianPostgres(settings, standbyOf)
  after(cluster.stop)
  return cluster
}

/** The same for whoever stops it by itself. With `fill` it runs on what that makes. Nothing that decides how statements are carried out is set. */
export async function launchDebianPostgres(
  settings: Record<string, string> = {},
  standbyOf?: DebianPostgres,
  fill?: (data: string) => Promise<void>,
): Promise<DebianPostgres> {
  const bin = join('/usr/lib/postgresql', readdirSync('/usr/lib/postgresql').sort().at(-1) ?? '', 'bin')
  const identity = await postgresUser()
  const folder = await temporaryFolder('mdk-pg-')
  chownSync(folder, identity.uid, identity.gid)
  const data = join(folder, 'data')
  const tool = async (name: string, ...args: string[]) => {
    await promisify(execFile)(join(bin, name), args, { ...identity, cwd: folder })
  }
  if (fill) {
    await fill(data)
  } else if (standbyOf) {
    const primary = `host=${standbyOf.folder} user=postgres application_name=standby`
    await tool('pg_basebackup', '-d', primary, '-D', data, '-R', '--no-sync', '--checkpoint=fast')
  } else {
    await tool('initdb', '--auth=trust', '--username=postgres', '--no-sync', '--locale=C.UTF-8', '-D', data)
  }
  const given = settingArguments({ listen_addresses: '', fsync: 'off', ...settings })
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder, ...given], {
    ...identity,
    cwd: folder,
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const stop = async () => {
    server.kill('SIGQUIT')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const url = socketUrl(folder, 'postgres', 'postgres')
  const probe = openDatabase({ url, connections: 1 })
  await until('the server answers', () =>
    probe.rows(sql`select`).then(
      () => true,
      () => false,
    ),
  )
  await probe.end()
  return { url, tool, folder, stop }
}

/** The user whom Debian's packages make for the server. */
export async function postgresUser(): Promise<{ uid: number; gid: number }> {
  return { uid: await idOf('-u'), gid: await idOf('-g') }
}

async function idOf(flag: '-u' | '-g'): Promise<number> {
  return Number((await promisify(execFile)('id', [flag, 'postgres'])).stdout)
}
