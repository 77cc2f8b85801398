// Starts one PostgreSQL server process. Knows nothing of who uses it, or of what to do when it ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'
import { runAs, type ServerUser, serverEnvironment } from './server-user.ts'

export interface ServerProcess {
  readonly pid: number
  /** Still there. */
  running(): boolean
  /** Settles when the process has ended: how, whether because it was asked to, and what it wrote last. */
  readonly ended: Promise<{ readonly how: string; readonly asked: boolean; readonly words: string }>
  /** Starts a fast shutdown: open transactions are rolled back, the data is left clean. */
  stop(): void
}

export interface ServerProcessOptions {
  readonly postgres: string
  readonly arguments: readonly string[]
  readonly user: ServerUser
  /** Where the server writes what it has to say. */
  readonly logFile: string
  /** True: it shuts down when the calling thread's process dies, where the system can do that (Linux). */
  readonly diesWithUs: boolean
}

const MAX_LOG_BYTES = 1024 * 1024

/**
 * Starts `postgres` in a session of its own, so that a Ctrl-C meant for us does not reach it before we have
 * finished with it. It does not keep this process alive.
 * @throws Error when the program cannot be started
 */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { user, postgres } = options
  await turnOverLog(options.logFile)
  const log = await open(options.logFile, 'a', 0o600)
  // Whoever starts the server next, as that user, writes on in it.
  if (user.identity) await log.chown(user.identity.uid, user.identity.gid)
  const start = (await log.stat()).size
  const wrapper = options.diesWithUs ? await deathSignalWrapper() : []
  const [file, ...args] = [...wrapper, postgres, ...options.arguments] as [string, ...string[]]
  const child = spawn(file, args, {
    ...user.identity,
    cwd: '/',
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  // An error before 'spawn' rejects both; it is reported once.
  exit.catch(() => {})
  try {
    await once(child, 'spawn')
  } finally {
    await log.close()
  }
  child.unref()
  return {
    pid: child.pid as number,
    running: () => child.exitCode === null && child.signalCode === null,
    ended: exit.then(async ([code, signal]) => ({
      how: signal ? `killed by ${signal}` : `exit code ${code}`,
      asked: code === 0,
      words: await writtenSince(options.logFile, start),
    })),
    stop: () => child.kill('SIGINT'),
  }
}

/** Keeps the log from growing for ever; the server itself writes a few lines a start. */
async function turnOverLog(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size > MAX_LOG_BYTES) await rename(file, `${file}.old`).catch(() => {})
}

async function deathSignalWrapper(): Promise<string[]> {
  const wrapper = ['setpriv', '--pdeathsig', 'INT']
  try {
    await runAs({}, 'setpriv', [...wrapper.slice(1), 'true'])
    return wrapper
  } catch {
    return []
  }
}

async function writtenSince(file: string, start: number): Promise<string> {
  let log: FileHandle | undefined
  try {
    log = await open(file)
    const { size } = await log.stat()
    // Another process may have turned the log over meanwhile.
    const from = Math.max(size >= start ? start : 0, size - 4096)
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - from), { position: from })
    return buffer.toString('utf8', 0, bytesRead).trim()
  } catch {
    return ''
  } finally {
    await log?.close()
  }
}
