// Runs a real PostgreSQL server for the processes of one data folder: found or made, started or shared, watched,
// and stopped by whoever leaves it last. Knows nothing of what is kept in it.
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Binaries, findPackage, locateBinaries } from './embedded-postgres/binaries.ts'
import { type Cluster, checkVersion, findCluster, makeCluster, NAME } from './embedded-postgres/cluster.ts'
import { readPidFile } from './embedded-postgres/pid-file.ts'
import { type ServerProcess, startServerProcess } from './embedded-postgres/server-process.ts'
import { chooseServerUser, isRoot, SYSTEM_FOLDER } from './embedded-postgres/server-user.ts'
import { SERVER_SETTINGS, settingArguments } from './embedded-postgres/settings.ts'
import { socketFolderFor, socketUrl } from './embedded-postgres/socket-folder.ts'

export interface EmbeddedPostgresOptions {
  dataDir: string
  /**
   * `service`: the server lives and dies with this process, and is started again when it dies alone. `command`: it
   * may be left to others who use it meanwhile.
   */
  hold: 'service' | 'command'
  log: { info(message: string): void; error(message: string): void }
  /** Settings that replace those of `SERVER_SETTINGS`, by name. */
  settings?: Readonly<Record<string, string>>
}

export interface EmbeddedPostgres {
  /** For `pg` and libpq; it stays the same over restarts of the server. */
  readonly url: string
  /** Lets go of the server; stops it when nobody else holds it. */
  stop(): Promise<void>
}

/** A killed server may linger, and hold its lock, for a second or two. */
const START_WITHIN_MS = 15_000
const LOOK_EVERY_MS = 50
const END_FOLLOWS_WITHIN_MS = 1_000
/** How long a service that stops waits for commands that use its server. */
const OTHERS_WITHIN_MS = 10_000
/** What a process's own connection is called: who counts these counts the processes. */
const HOLDER = 'mdk-holder'
const LEAVING_LOCK = 'mdk leaving'

/**
 * Starts the server of the data folder, or joins the one that runs. The first start makes the data.
 * @throws Error with PostgreSQL's words when it does not come up
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options
  // The server's user must be able to pass through; nobody else sees what is in it.
  await mkdir(options.dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
  const { cluster, binaries } = await prepareCluster(options.dataDir)
  const socketFolder = await socketFolderFor(cluster.folder, cluster.user)
  const adminUrl = socketUrl(socketFolder, NAME, 'postgres')

  let server: ServerProcess | undefined
  let holder = await hold()
  let stopping = false
  void watch()

  /** Joins the server, starting it when none answers. */
  async function hold(): Promise<pg.Client> {
    const deadline = performance.now() + START_WITHIN_MS
    for (let words = 'it does not answer'; ; await sleep(LOOK_EVERY_MS)) {
      const client = await join(adminUrl)
      if (client) return client
      if (performance.now() > deadline) throw new Error(`the embedded PostgreSQL does not start: ${words}`)
      if (server?.running()) continue
      if (server) words = (await server.ended).words
      // Two that start at once are told apart by the server's own lock; the loser finds the winner next time round.
      server = await start()
    }
  }

  function start(): Promise<ServerProcess> {
    const settings = { ...SERVER_SETTINGS, ...options.settings, unix_socket_directories: socketFolder }
    return startServerProcess({
      postgres: binaries.postgres,
      arguments: ['-D', cluster.folder, ...settingArguments(settings)],
      user: cluster.user,
      logFile: `${options.dataDir}/postgres.log`,
      diesWithUs: options.hold === 'service',
    })
  }

  /** Notices a server that dies, says so, and starts it again. */
  async function watch(): Promise<void> {
    while (!stopping) {
      await new Promise<void>((resolve) => holder.once('end', resolve))
      if (stopping) return
      // Its connections may be seen to end before it does itself.
      const end = await Promise.race([server?.ended, sleep(END_FOLLOWS_WITHIN_MS)])
      if (stopping) return
      log.error(
        end ? `the embedded PostgreSQL went away (${end.how}): ${end.words}` : 'the embedded PostgreSQL went away',
      )
      for (;;) {
        try {
          holder = await hold()
          log.info('the embedded PostgreSQL is back')
          break
        } catch (error) {
          if (stopping) return
          log.error((error as Error).message)
        }
      }
    }
  }

  async function stop(): Promise<void> {
    if (stopping) return
    stopping = true
    try {
      const deadline = performance.now() + (options.hold === 'service' ? OTHERS_WITHIN_MS : 0)
      let last = await isLast(holder)
      while (!last && performance.now() < deadline) {
        await sleep(LOOK_EVERY_MS)
        last = await isLast(holder)
      }
      if (last || options.hold === 'service') await shutDown(cluster, server)
    } catch {
      // The server is away already, or on its way out.
    } finally {
      await holder.end().catch(() => {})
    }
  }

  await makeDatabase(holder)
  return { url: socketUrl(socketFolder, NAME, NAME), stop }
}

async function prepareCluster(dataDir: string): Promise<{ cluster: Cluster; binaries: Binaries }> {
  let cluster = await findCluster(dataDir)
  const user = cluster?.user ?? (await chooseServerUser())
  const binaries = await locateBinaries(findPackage(), SYSTEM_FOLDER, user)
  if (!cluster) {
    await makeCluster(dataDir, SYSTEM_FOLDER, binaries, user)
    cluster = await findCluster(dataDir)
  }
  if (!cluster) throw new Error(`the database in ${dataDir} disappeared while it was being made`)
  await checkVersion(cluster, binaries)
  return { cluster, binaries }
}

/** A connection that holds the server, or undefined when none answers. @throws Error when it refuses us */
async function join(url: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: HOLDER, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {}) // 'end' follows.
  try {
    await client.connect()
    // Whoever is stopping the server holds this: we are not to be counted in and then cut off.
    await client.query(`select pg_advisory_lock_shared(hashtextextended($1, 0))`, [LEAVING_LOCK])
    await client.query(`select pg_advisory_unlock_shared(hashtextextended($1, 0))`, [LEAVING_LOCK])
    return client
  } catch (error) {
    await client.end().catch(() => {})
    const code = (error as { code?: string }).code ?? ''
    // Wrong user or wrong role: waiting does not help.
    if (code.startsWith('28')) throw error
    return undefined
  }
}

/**
 * Whether no other process holds the server. When it is so the lock stays ours: whoever comes now waits until the
 * server is gone, and starts another.
 */
async function isLast(holder: pg.Client): Promise<boolean> {
  await holder.query(`select pg_advisory_lock(hashtextextended($1, 0))`, [LEAVING_LOCK])
  const { rows } = await holder.query<{ others: number }>(
    `select count(*)::int as others from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()`,
    [HOLDER],
  )
  if (rows[0]?.others === 0) return true
  await holder.query(`select pg_advisory_unlock(hashtextextended($1, 0))`, [LEAVING_LOCK])
  return false
}

/** Fast shutdown: open transactions are rolled back, the data is left clean. Waits until the server is gone. */
async function shutDown(cluster: Cluster, server: ServerProcess | undefined): Promise<void> {
  const found = await readPidFile(cluster.folder)
  if (server?.running()) server.stop()
  else if (!found || !signal(found.pid, 'SIGINT')) return
  // The server does not keep this process alive; the sleeps do.
  const deadline = performance.now() + START_WITHIN_MS
  const there = async () => server?.running() || (await readPidFile(cluster.folder))?.pid === found?.pid
  while (found && (await there()) && performance.now() < deadline) await sleep(LOOK_EVERY_MS)
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

async function makeDatabase(holder: pg.Client): Promise<void> {
  const { rowCount } = await holder.query('select from pg_database where datname = $1', [NAME])
  if (rowCount) return
  await holder.query(`create database ${NAME}`).catch((error: { code?: string }) => {
    // Another process was faster (PostgreSQL reports either).
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}
