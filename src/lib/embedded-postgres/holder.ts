// A process's own connection to the shared server: as long as it lives, the process counts as using the server.
// Advisory locks tell who else does, without a moment in between. Knows nothing of starting and stopping it.
import pg from 'pg'

/** `service`: runs until it is told to stop. `command`: ends by itself, soon. */
export type Hold = 'service' | 'command'

export type Answer =
  | { readonly kind: 'joined'; readonly holder: pg.Client }
  /** A server is there and does not take connections at the moment: it starts, recovers or shuts down. */
  | { readonly kind: 'busy'; readonly words: string }
  | { readonly kind: 'absent'; readonly words: string }

/** Held shared by every process that uses the server; held alone by the last one, which stops it. */
const USE = 'mdk uses the server'
/** Held shared by commands; held alone by a service that takes its server away. */
const COMMAND = 'a command of mdk uses the server'

const CONNECT_WITHIN_MS = 5_000
const LOCK_WITHIN_MS = 15_000

/**
 * Connects and counts as a user of the server from then on. Waits while another process is stopping it, so that
 * nobody is let in and then cut off.
 * @throws pg.DatabaseError when the server refuses this user
 */
export async function join(url: string, hold: Hold): Promise<Answer> {
  const holder = new pg.Client({
    connectionString: url,
    application_name: 'mdk-holder',
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    lock_timeout: LOCK_WITHIN_MS,
  })
  holder.on('error', () => {}) // 'end' follows.
  try {
    await holder.connect()
    await lock(holder, 'pg_advisory_lock_shared', USE)
    await lock(holder, 'pg_advisory_lock_shared', COMMAND)
    if (hold === 'service') await lock(holder, 'pg_advisory_unlock_shared', COMMAND)
    return { kind: 'joined', holder }
  } catch (error) {
    await holder.end().catch(() => {})
    const { code = '', message } = error as Error & { code?: string }
    // Class 28, the wrong user or role: waiting does not help.
    if (code.startsWith('28')) throw error
    return { kind: code === '57P03' ? 'busy' : 'absent', words: message }
  }
}

/**
 * Stops counting as a user. True when nobody else uses the server: whoever comes now waits until it is gone.
 * @throws Error when the connection is lost
 */
export async function letGo(holder: pg.Client): Promise<boolean> {
  await lock(holder, 'pg_advisory_unlock_shared', USE)
  return lock(holder, 'pg_try_advisory_lock', USE)
}

/**
 * Waits until no command uses the server, 10 s at most; whoever comes meanwhile waits until it is gone.
 * @throws Error when the connection is lost
 */
export async function outlastCommands(holder: pg.Client): Promise<void> {
  await holder.query(`set lock_timeout = '10s'`)
  await lock(holder, 'pg_advisory_lock', COMMAND).catch((error: { code?: string }) => {
    if (error.code !== '55P03') throw error
  })
}

type LockFunction =
  | 'pg_advisory_lock'
  | 'pg_advisory_lock_shared'
  | 'pg_advisory_unlock_shared'
  | 'pg_try_advisory_lock'

/** Gives what the function says: whether the lock was taken, for those that may fail. */
async function lock(holder: pg.Client, call: LockFunction, name: string): Promise<boolean> {
  const { rows } = await holder.query<{ done: unknown }>(`select ${call}(hashtextextended($1, 0)) as done`, [name])
  return rows[0]?.done === true
}
