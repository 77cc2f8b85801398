// Debian's PgBouncer in front of a server of a test, as its package configures it but for the mode.
import { spawn } from 'node:child_process'
import { chownSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { type DebianPostgres, postgresUser } from './debian-postgres.ts'
import { until } from './until.ts'

/** Sockets of one folder are told apart by these. */
const PORTS = { session: 6432, transaction: 6433 }

/** Gives the server's URL through it. It goes after the tests. */
export async function startPgBouncer(server: DebianPostgres, mode: 'session' | 'transaction'): Promise<string> {
  const port = PORTS[mode]
  const config = join(server.folder, `pgbouncer-${mode}.ini`)
  const lines = [
    '[databases]',
    `* = host=${server.folder} user=postgres`,
    '[pgbouncer]',
    `unix_socket_dir = ${server.folder}`,
    'listen_addr =',
    `listen_port = ${port}`,
    'auth_type = any',
    `pool_mode = ${mode}`,
    `pidfile = ${config}.pid`,
  ]
  await writeFile(config, lines.join('\n'))
  const identity = await postgresUser()
  chownSync(config, identity.uid, identity.gid)
  const pooler = spawn('/usr/sbin/pgbouncer', [config], { ...identity, cwd: server.folder, stdio: 'ignore' })
  const ended = new Promise((resolve) => pooler.once('exit', resolve))
  after(async () => {
    pooler.kill('SIGKILL')
    await ended
  })
  const url = server.url.replace(':5432/', `:${port}/`)
  const probe = new pg.Pool({ connectionString: url })
  await until('the pooler answers', () =>
    probe.query('select').then(
      () => true,
      () => false,
    ),
  )
  await probe.end()
  return url
}
