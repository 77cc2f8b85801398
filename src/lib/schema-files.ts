// The files that a database is made of, and which of them a database lacks. Knows nothing of what they hold.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What a database is made of, and by which version of the program. */
export interface Schema {
  /** The folder of numbered files that make tables and indexes and move data: `0001_tenants.sql`. */
  migrations: string
  /** The folder below which the files of functions and triggers lie. */
  root: string
  /** Their paths below it in the order in which they are applied. Each creates or replaces what it holds. */
  functions: readonly string[]
  /** `1.10.0`. */
  version: string
}

export interface SqlFile {
  name: string
  checksum: string
  text: string
}

export interface SchemaFiles {
  migrations: SqlFile[]
  functions: SqlFile[]
}

/** What a database says that it was made of. */
export interface Applied {
  migrations: { version: number; name: string; checksum: string }[]
  functions: { file: string; checksum: string; appliedBy: string }[]
}

/** The database cannot be brought to this version's schema. The message says why and what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError'
}

/** The files in the order in which they are applied. @throws MigrationError when a name or the numbering is wrong */
export async function readSchema({ migrations, root, functions }: Schema): Promise<SchemaFiles> {
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort()
  for (const [i, name] of names.entries()) {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name) || versionOf(name) !== i + 1) {
      throw new MigrationError(`${name}: migrations are numbered 0001, 0002, … without a gap`)
    }
  }
  return {
    migrations: await Promise.all(names.map((name) => readSqlFile(migrations, name))),
    functions: await Promise.all(functions.map((path) => readSqlFile(root, path))),
  }
}

/** The number with which the name of a migration begins. */
export const versionOf = (name: string) => Number(name.slice(0, 4))

async function readSqlFile(folder: string, name: string): Promise<SqlFile> {
  const text = await readFile(join(folder, name), 'utf8')
  return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
}

/**
 * The files that a database lacks, or has in another text. `version` is this program's.
 * @throws MigrationError when an applied migration has changed since, or the database is of another line of migrations
 */
export function missingFiles(files: SchemaFiles, applied: Applied, version: string): SchemaFiles {
  return {
    migrations: missingMigrations(files.migrations, applied.migrations),
    functions: missingFunctions(files.functions, applied.functions, version),
  }
}

function missingMigrations(files: SqlFile[], applied: Applied['migrations']): SqlFile[] {
  const known = new Map(files.map((file) => [versionOf(file.name), file]))
  const other = applied.find(({ version, name }) => known.has(version) && known.get(version)?.name !== name)
  if (other) {
    throw new MigrationError(
      `the database has ${other.name}, where this version has ${known.get(other.version)?.name}: it was made before ` +
        'version 0.1.0, from which on databases are carried over. Start with an empty database or data folder',
    )
  }
  for (const { version, name, checksum } of applied) {
    const file = known.get(version)
    if (!file) {
      throw new MigrationError(
        `the database has ${name}, which this version does not know: it was migrated by a newer version of mdk`,
      )
    }
    if (file.checksum !== checksum) {
      throw new MigrationError(
        `${name} is not the file that was applied to this database: put the original back and add a new migration`,
      )
    }
  }
  const done = new Set(applied.map((row) => row.version))
  return files.filter(({ name }) => !done.has(versionOf(name)))
}

/** None where a later version has been at work: its functions serve this one too, and not the other way round. */
function missingFunctions(files: SqlFile[], applied: Applied['functions'], version: string): SqlFile[] {
  if (applied.some(({ appliedBy }) => isLater(appliedBy, version))) return []
  const done = new Map(applied.map(({ file, checksum }) => [file, checksum]))
  return files.filter(({ name, checksum }) => done.get(name) !== checksum)
}

const isLater = (version: string, than: string) => version.localeCompare(than, 'en', { numeric: true }) > 0
