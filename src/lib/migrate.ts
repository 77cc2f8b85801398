// Brings a database to the schema of this version: migrations, each once, in order, forward only; and the files of
// functions and triggers, whenever their text has changed.
import type { ClientBase } from 'pg'
import {
  type Applied,
  MigrationError,
  missingFiles,
  readSchema,
  type Schema,
  type SchemaFiles,
  type SqlFile,
  versionOf,
} from './schema-files.ts'
import { type Database, type Db, sql } from './sql.ts'

/** Holds every process but one back while one migrates. */
const LOCK = 'mdk migrations'
const LOCK_TIMEOUT = '120s'
/** How many deadlocks with those who write meanwhile are lost before it is given up; each takes the server a second to see. */
const MOST_DEADLOCKS = 10

const NEW_NAME =
  'a function whose arguments or result change gets a new name, and the old one stays for processes that call it'

const APPLIED_MIGRATIONS = sql<Applied['migrations'][number]>`select version, name, checksum from schema_migrations`
const APPLIED_FUNCTIONS = sql<Applied['functions'][number]>`
  select file, checksum, applied_by as "appliedBy" from schema_functions`

/**
 * Applies what is missing, all of it or nothing; many processes may do so at once. Gives the names of what was applied.
 * @throws MigrationError when an applied migration has changed since, the database is newer than this version or of another
 *   line of migrations, a file fails, or another process migrates for longer than 120 s
 */
export async function migrate(database: Database, schema: Schema): Promise<string[]> {
  const files = await readSchema(schema)
  const client = await database.connect('mdk migrate')
  try {
    await client.query(`set statement_timeout = 0; set lock_timeout = '${LOCK_TIMEOUT}'`)
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [LOCK]).catch(refuseToWait)
    return await applyUndisturbed(client, files, schema.version)
  } finally {
    // Rolls back what has not been committed.
    await client.end()
  }
}

/**
 * Whoever writes meanwhile may hold what a trigger waits for, and wait for what has been taken for it. Of such a circle one
 * transaction is ended by the server: when it is this one, it is begun again.
 */
async function applyUndisturbed(client: ClientBase, files: SchemaFiles, version: string): Promise<string[]> {
  for (let left = MOST_DEADLOCKS; ; left--) {
    try {
      return await applyMissing(client, files, version)
    } catch (error) {
      if (left === 0 || !isDeadlock(error)) throw error
      await client.query('rollback')
    }
  }
}

/** deadlock_detected (PostgreSQL, Appendix A), in whatever file. */
function isDeadlock(error: unknown): boolean {
  const { cause = error } = error as Error
  return (cause as { code?: string }).code === '40P01'
}

async function applyMissing(client: ClientBase, files: SchemaFiles, version: string): Promise<string[]> {
  await client.query('begin')
  const missing = missingFiles(files, await readApplied(client), version)
  for (const file of missing.migrations) {
    await apply(client, file)
    await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
      versionOf(file.name),
      file.name,
      file.checksum,
    ])
  }
  for (const file of missing.functions) {
    await apply(client, file)
    await client.query(
      `insert into schema_functions as f (file, checksum, applied_by) values ($1, $2, $3)
       on conflict (file) do update
       set checksum = excluded.checksum, applied_by = excluded.applied_by, applied_at = clock_timestamp()`,
      [file.name, file.checksum, version],
    )
  }
  await refuseOverloads(client, missing.functions)
  await client.query('commit')
  return [...missing.migrations, ...missing.functions].map(({ name }) => name)
}

function refuseToWait(error: { code?: string }): never {
  // lock_not_available (PostgreSQL, Appendix A).
  if (error.code !== '55P03') throw error
  throw new MigrationError(`another process has been migrating this database for more than ${LOCK_TIMEOUT}: try again`)
}

async function readApplied(client: ClientBase): Promise<Applied> {
  await client.query(`
    create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default clock_timestamp()
    );
    create table if not exists schema_functions (
      file text primary key,
      checksum text not null,
      applied_by text not null,
      applied_at timestamptz not null default clock_timestamp()
    )`)
  const { rows: migrations } = await client.query(APPLIED_MIGRATIONS.text)
  const { rows: functions } = await client.query(APPLIED_FUNCTIONS.text)
  return { migrations, functions }
}

async function apply(client: ClientBase, { name, text }: SqlFile): Promise<void> {
  await client.query(text).catch((error: Error & { code?: string }) => {
    // invalid_function_definition (PostgreSQL, Appendix A): another result, or other names of arguments.
    const rule = error.code === '42P13' ? `: ${NEW_NAME}` : ''
    throw new MigrationError(`${name} failed: ${error.message}${rule}`, { cause: error })
  })
}

/** To PostgreSQL a function with other arguments is another function, and calls would have to choose. */
async function refuseOverloads(client: ClientBase, files: SqlFile[]): Promise<void> {
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/^create or replace function (\w+)/gm)].map(([, name]) => name),
  )
  const { rows } = await client.query<{ name: string }>(
    `select p.proname as name from pg_proc p
     where p.pronamespace = current_schema()::regnamespace and p.proname = any ($1::text[])
     group by p.proname having count(*) > 1`,
    [names],
  )
  if (rows[0]) throw new MigrationError(`${rows[0].name} is there with other arguments: ${NEW_NAME}`)
}

/** Names of files that this database lacks. @throws MigrationError as migrate */
export async function pendingMigrations(db: Db, schema: Schema): Promise<string[]> {
  const files = await readSchema(schema)
  const [present] = await db.rows(sql<{ migrations: boolean; functions: boolean }>`
    select to_regclass('schema_migrations') is not null as migrations,
      to_regclass('schema_functions') is not null as functions`)
  const applied = {
    migrations: present?.migrations ? await db.rows(APPLIED_MIGRATIONS) : [],
    functions: present?.functions ? await db.rows(APPLIED_FUNCTIONS) : [],
  }
  const missing = missingFiles(files, applied, schema.version)
  return [...missing.migrations, ...missing.functions].map(({ name }) => name)
}
