// Brings a database to the schema of this version: numbered SQL files, each once, in order, forward only.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, type Db, sql } from './sql.ts'

export interface Migration {
  version: number
  name: string
  checksum: string
  text: string
}

/** Holds every process but one back while one migrates. */
const LOCK = 'mdk migrations'
const LOCK_TIMEOUT = '120s'

/** The database cannot be brought to this version's schema. The message says why and what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/**
 * Applies what is missing; many processes may do so at once. Gives the names of what was applied.
 * @throws MigrationError when an applied file has changed since, the database is newer than this version, a file
 *   fails, or another process migrates for longer than 120 s
 */
export async function migrate(database: Database, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const client = await database.connect('mdk migrate')
  try {
    await client.query(`set statement_timeout = 0; set lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [LOCK]).catch(refuseToWait)
    await client.query(`create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`)
    const { rows } = await client.query<AppliedRow>('select version, name, checksum from schema_migrations')
    const missing = missingOf(migrations, rows)
    for (const { version, name, checksum, text } of missing) {
      await client.query('begin')
      try {
        await client.query(text)
        await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
          version,
          name,
          checksum,
        ])
        await client.query('commit')
      } catch (error) {
        // With the connection gone the server rolls back by itself, and the first error is the one to tell.
        await client.query('rollback').catch(() => {})
        throw new MigrationError(`${name} failed: ${(error as Error).message}`, { cause: error })
      }
    }
    return missing.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

function refuseToWait(error: { code?: string }): never {
  // lock_not_available (PostgreSQL, Appendix A).
  if (error.code !== '55P03') throw error
  throw new MigrationError(`another process has been migrating this database for more than ${LOCK_TIMEOUT}: try again`)
}

/** Names of migrations that this database lacks. @throws MigrationError as migrate */
export async function pendingMigrations(db: Db, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const [table] = await db.rows(sql<{ present: boolean }>`
    select to_regclass('schema_migrations') is not null as present`)
  if (!table?.present) return migrations.map((migration) => migration.name)
  const rows = await db.rows(sql<AppliedRow>`select version, name, checksum from schema_migrations`)
  return missingOf(migrations, rows).map((migration) => migration.name)
}

interface AppliedRow {
  version: number
  name: string
  checksum: string
}

function missingOf(migrations: Migration[], applied: AppliedRow[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.version, migration]))
  for (const row of applied) {
    const migration = known.get(row.version)
    if (!migration) {
      throw new MigrationError(
        `the database has ${row.name}, which this version does not know: it was migrated by a newer version of mdk`,
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new MigrationError(
        `${row.name} is not the file that was applied to this database: put the original back and add a new migration`,
      )
    }
  }
  const done = new Set(applied.map((row) => row.version))
  return migrations.filter((migration) => !done.has(migration.version))
}

/** The files of the folder in order. @throws MigrationError when a name or the numbering is wrong */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, i) => {
      const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
      if (version !== i + 1) throw new MigrationError(`${name}: migrations are numbered 0001, 0002, … without a gap`)
      const text = await readFile(join(folder, name), 'utf8')
      return { version, name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
