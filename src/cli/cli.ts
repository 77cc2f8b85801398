// What every command group shares: what it is given, its examples, and how it comes by a database.
import type { Command } from 'commander'
import type { Logger } from 'pino'
import { type Config, readConfig } from '../config.ts'
import { openMigratedDatabase } from '../database.ts'
import { createLog } from '../lib/log.ts'
import { collectSignals } from '../lib/queue/collect-signals.ts'
import type { Database } from '../lib/sql.ts'

export interface Cli {
  env: NodeJS.ProcessEnv
  /** Print JSON for programs rather than text for people: results on standard output, and what goes to standard error. */
  json: boolean
  jsonErrors: boolean
  /** The exit status of a command that ended without an error. */
  status: number
}

/** Adds commands to the program. */
export type AddCommands = (program: Command, cli: Cli) => void

/** Does a piece of work with a database of this version's schema, and lets go of it whatever happens. @throws as openMigratedDatabase */
export async function withDatabase<T>(cli: Cli, work: (database: Database, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(cli.env)
  const { database, close } = await openMigratedDatabase({ config, log: commandLog(), hold: 'command' })
  const passOn = collectSignals(database)
  try {
    return await work(database, config)
  } finally {
    await passOn()
    await close()
  }
}

/** Standard output belongs to the result: a command's log lines go to standard error, and only when they matter. */
function commandLog(): Logger {
  return createLog('error', { write: (line: string) => void process.stderr.write(line) })
}

/** Shows with the command's help how it is used: whole commands, without `mdk`. */
export function withExamples(command: Command, ...examples: string[]): Command {
  const lines = examples.map((example) => `  $ mdk ${example}`)
  return command.addHelpText('after', ['', examples.length === 1 ? 'Example:' : 'Examples:', ...lines].join('\n'))
}
