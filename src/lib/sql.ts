// Talks to PostgreSQL: a `sql` tag that makes named prepared statements, a pool, and transactions whose type
// shows that they are one. Knows nothing of tables.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { applySessionSettings } from './session-settings.ts'

/** A statement with its values. `Row` is what one row of its answer looks like. */
export interface Sql<Row> {
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
  readonly row?: Row
}

/** What reads. Every transaction is one as well. */
export interface Db {
  /** Runs one statement and gives its rows. @throws pg.DatabaseError */
  rows<Row>(statement: Sql<Row>): Promise<Row[]>
  /** Like `rows` for a statement that yields one row at most. */
  first<Row>(statement: Sql<Row>): Promise<Row | undefined>
}

/** What is notified when something was written that others wait for, so that they need not poll for it. */
export interface Signals {
  /**
   * Signals `topic` to this process's listeners: of a transaction once, after its commit, and never when it rolls back or
   * is lost; of a database at once, for a single statement that has ended.
   */
  signal(topic: string): void
}

declare const inTransaction: unique symbol

/** What writes that belong together take, so that a forgotten transaction does not compile. */
export interface Tx extends Db, Signals {
  readonly [inTransaction]: true
}

export interface Database extends Db, Signals {
  /**
   * Runs `work` in one READ COMMITTED transaction: commits when it resolves, rolls back when it throws. Statements that
   * it asks for without waiting in between take one round trip, and are carried out in that order.
   * @throws what `work` threw, or Error when a statement had failed whose error `work` kept to itself
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Calls `listener`, which must not throw, with the topic of every signal. Gives what ends it. */
  onSignal(listener: (topic: string) => void): () => void
  /** A connection of its own outside the pool, for LISTEN and for holding session state. The caller ends it. */
  connect(applicationName: string): Promise<pg.Client>
  readonly pool: pg.Pool
  end(): Promise<void>
  /** Breaks every connection and makes no other, when the server is silent and nobody can wait for it any longer. */
  abandon(): void
  /** True from then on. */
  readonly abandoned: boolean
}

/** An RFC 3339 instant in UTC with microseconds, as the database keeps it: `2026-01-01T00:00:00.000000Z`. */
export type Timestamp = string

const prepared = new WeakMap<TemplateStringsArray, { name: string; text: string }>()

/**
 * Tags a statement. Values become parameters, never text:
 * sql<{ id: string }>`select id from tenants where name = ${name}`
 */
export function sql<Row = Record<string, never>>(strings: TemplateStringsArray, ...values: unknown[]): Sql<Row> {
  let known = prepared.get(strings)
  if (!known) {
    const text = strings.reduce((all, part, i) => `${all}$${i}${part}`)
    known = { name: nameOf(text), text }
    prepared.set(strings, known)
  }
  return { name: known.name, text: known.text, values }
}

/** The same of a text with `$1`, `$2` that was put together from constants: gives what binds values to it. */
export function statement<Row = Record<string, never>>(text: string): (...values: unknown[]) => Sql<Row> {
  const name = nameOf(text)
  return (...values) => ({ name, text, values })
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24)
}

/** An array parameter of values that need no quotes, such as numbers and UUIDs: for long ones, as `pg` looks into each. */
export function arrayLiteral(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}

export interface DatabaseOptions {
  /** `postgres://…` or a connection string with a socket folder as host. */
  url: string
  /** Pool size. */
  connections?: number
  applicationName?: string
  /** How long a statement may take, 30 s unless given. */
  statementTimeoutMs?: number
  /** Called for errors of idle connections, which no caller could receive. */
  onIdleError?: (error: Error) => void
  /** Run on each connection of the pool before its first use. One on which it throws is not used. */
  onConnect?: (db: Db) => Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
/** So much longer a statement is waited for than the server lets it run: who waits in vain has a server that hangs. */
const SILENCE_MS = 2_000

/** Opens a pool. Connects on first use. */
export function openDatabase(options: DatabaseOptions): Database {
  const { statementTimeoutMs = STATEMENT_TIMEOUT_MS } = options
  const config: pg.PoolConfig = {
    connectionString: options.url,
    application_name: options.applicationName ?? 'mdk',
    max: options.connections ?? 16,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: statementTimeoutMs + SILENCE_MS,
    keepAlive: true,
    types: { getTypeParser },
  }
  const clients = new Set<Connected>()
  const onConnect = async (client: Connected) => {
    clients.add(client)
    // One that is lost between being lent and being used is reported to its first query; unheard, the event would end the
    // process.
    client.on('error', () => {})
    try {
      await applySessionSettings(client, statementTimeoutMs)
      await options.onConnect?.(dbOf(client))
    } catch (error) {
      // Not asked to end, as a silent server would be waited for.
      client.connection?.stream.destroy()
      clients.delete(client)
      throw error
    }
  }
  // Statements that are asked for together go out together, and are answered in their order.
  const pool = new pg.Pool({ ...config, pipeline: true, onConnect })
  let abandoned = false
  pool.on('remove', (client) => clients.delete(client))
  pool.on('error', (error) => {
    if (!abandoned) options.onIdleError?.(error)
  })
  const refuseWhenAbandoned = () => {
    if (abandoned) throw new Error('Connection terminated: the database was silent and has been given up')
  }
  const rows = async <Row>(statement: Sql<Row>) => {
    refuseWhenAbandoned()
    return rowsOf(pool, statement)
  }

  const listeners = new Set<(topic: string) => void>()
  const signal = (topic: string) => {
    for (const listener of listeners) listener(topic)
  }

  return {
    pool,
    rows,
    first: async (statement) => (await rows(statement))[0],
    async transaction(work) {
      refuseWhenAbandoned()
      const topics = new Set<string>()
      const result = await inOneTransaction(pool, topics, work)
      topics.forEach(signal)
      return result
    },
    signal,
    onSignal(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async connect(applicationName) {
      refuseWhenAbandoned()
      const { max: _max, idleTimeoutMillis: _idle, query_timeout: _query, ...single } = config
      const client = new pg.Client({ ...single, application_name: applicationName })
      // A connection that is lost is reported to whoever uses it next; unheard, the event would end the process.
      client.on('error', () => {})
      await client.connect()
      clients.add(client)
      client.once('end', () => clients.delete(client))
      try {
        await applySessionSettings(client, statementTimeoutMs)
        return client
      } catch (error) {
        client.connection.stream.destroy()
        throw error
      }
    },
    end: () => pool.end(),
    abandon() {
      abandoned = true
      for (const { connection } of clients) connection?.stream.destroy()
    },
    get abandoned() {
      return abandoned
    },
  }
}

type Connected = pg.ClientBase & Partial<Pick<pg.Client, 'connection'>>

/** What reads over this connection. */
export function dbOf(client: pg.ClientBase): Db {
  return {
    rows: (statement) => rowsOf(client, statement),
    first: async (statement) => (await rowsOf(client, statement))[0],
  }
}

async function rowsOf<Row>(client: pg.Pool | pg.ClientBase, statement: Sql<Row>): Promise<Row[]> {
  const result = await client.query({
    name: statement.name,
    text: statement.text,
    values: statement.values as unknown[],
  })
  return result.rows as Row[]
}

/** `topics`: takes up what is to be signalled after the commit. */
async function inOneTransaction<T>(pool: pg.Pool, topics: Set<string>, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  // A connection may be lost between two statements, when no query is there to report it to.
  const onError = (error: Error) => {
    broken = error
  }
  client.on('error', onError)
  try {
    // The first statement goes out with it.
    const begun = client.query('begin')
    begun.catch(() => {})
    const result = await work({ ...dbOf(client), signal: (topic) => void topics.add(topic) } as Tx)
    await begun
    // The server answers so to the commit of a transaction in which a statement has failed.
    const { command } = await client.query('commit')
    if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: one of its statements had failed')
    return result
  } catch (error) {
    // A server that did not answer would not answer this either, and rolls back when the connection ends. One that
    // takes no writes is no longer the primary: the next connection may find the one that is.
    if (isSilence(error) || isReadOnly(error)) broken = error
    else {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
    }
    throw error
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/** True when an answer was waited for in vain. */
function isSilence(error: unknown): error is Error {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** read_only_sql_transaction (PostgreSQL, Appendix A). */
function isReadOnly(error: unknown): error is Error {
  return error instanceof Error && (error as { code?: unknown }).code === '25006'
}

/** True when the database could not be reached, went away or took too long, so that the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string') {
    // 08: connection, 53: no resources (full disk, too many connections), 57P: shutdown and crash,
    // 25006: read only (a standby), 58: I/O error (PostgreSQL, Appendix A).
    return (
      ranOutOfTime(error) ||
      /^(08|53|57P|58)/.test(code) ||
      code === '25006' ||
      /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOST|ENET|EAI)/.test(code)
    )
  }
  return /Connection terminated|timeout exceeded|Query read timeout|Client has encountered a connection error/.test(
    error.message,
  )
}

/**
 * True when the server is there and ended a statement for the time that it, or its wait for a lock, took – or because
 * an operator had enough of it (pg_cancel_backend). Nothing of it was written, and others may pass.
 */
export function ranOutOfTime(error: unknown): error is Error {
  return error instanceof Error && ['57014', '55P03'].includes((error as { code?: string }).code ?? '')
}

const TIMESTAMPTZ = pg.types.builtins.TIMESTAMPTZ
const INT8 = pg.types.builtins.INT8

/** Instants stay text, so that microseconds survive; int8 becomes a number (ours stay far below 2^53). */
// biome-ignore lint/suspicious/noExplicitAny: the shape pg's own types demand.
function getTypeParser(oid: number, format?: any): any {
  if (format !== 'binary' && oid === TIMESTAMPTZ) return toTimestamp
  if (format !== 'binary' && oid === INT8) return Number
  return pg.types.getTypeParser(oid, format)
}

/** `2026-01-01 00:00:00.12+00` → `2026-01-01T00:00:00.120000Z` */
function toTimestamp(text: string): Timestamp {
  const fraction = text.slice(20, -3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(6, '0')}Z`
}
