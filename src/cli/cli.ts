// What every command group shares: the environment it reads, how it prints, and how it comes by a database.
import { type Command, InvalidArgumentError } from 'commander'
import type { Logger } from 'pino'
import { SCOPES, type Scope } from '../access/permissions.ts'
import { type Config, parseDuration, readConfig } from '../config.ts'
import { openServiceDatabase } from '../database.ts'
import { createLog } from '../lib/log.ts'
import type { Database } from '../lib/sql.ts'
import { harmless, harmlessLine } from '../lib/terminal-text.ts'
import { isUuid, type Uuid } from '../lib/uuid.ts'

export interface Cli {
  env: NodeJS.ProcessEnv
  /** Print JSON for programs rather than text for people. */
  json: boolean
  /** The exit status of a command that ended without an error. */
  status: number
}

/** Adds commands to the program. */
export type AddCommands = (program: Command, cli: Cli) => void

/** Prints what a command gives: one JSON object, or its text, in which nothing of strangers can steer the terminal. */
export function print(cli: Cli, result: object, text: string): void {
  process.stdout.write(cli.json ? `${JSON.stringify(result)}\n` : `${harmless(text)}\n`)
}

/** Does a piece of work with the migrated database, and lets go of it whatever happens. */
export async function withDatabase<T>(cli: Cli, work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(cli.env)
  const { database, close } = await openServiceDatabase({ config, log: commandLog(), hold: 'command' })
  try {
    return await work(database, config)
  } finally {
    await close()
  }
}

/** Standard output belongs to the result: a command's log lines go to standard error, and only when they matter. */
function commandLog(): Logger {
  return createLog('error', { write: (line: string) => void process.stderr.write(line) })
}

/** An argument that is an id. */
export function id(text: string): Uuid {
  if (!isUuid(text)) throw new InvalidArgumentError('It is not an id (a UUID).')
  return text.toLowerCase()
}

/** An option that is a whole number from 0. */
export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is not a whole number from 0.')
  return Number(text)
}

/** An argument that is a number the service has given to something. */
export function serial(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is not a number as the list shows it.')
  return Number(text)
}

/** An option such as 90d, in milliseconds. */
export function duration(text: string): number {
  try {
    return parseDuration(text)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** An option that is a scope and may be given several times. */
export function scopes(text: string, before: Scope[] = []): Scope[] {
  const scope = SCOPES.find((known) => known === text)
  if (!scope) throw new InvalidArgumentError(`It is none of ${SCOPES.join(', ')}.`)
  return [...before, scope]
}

/** Rows as aligned columns under their names. */
export function table(rows: readonly object[], columns: Record<string, string>, none: string): string {
  if (rows.length === 0) return none
  const cell = (row: object, key: string) => {
    const value = (row as Record<string, unknown>)[key]
    return value === null || value === undefined ? '-' : harmlessLine([value].flat().join(' '))
  }
  const lines = [Object.values(columns), ...rows.map((row) => Object.keys(columns).map((key) => cell(row, key)))]
  const widths = Object.values(columns).map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
