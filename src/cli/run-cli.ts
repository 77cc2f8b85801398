// The command line: every command of `mdk`, and how its results and its errors are printed.
import { createRequire } from 'node:module'
import { Command, CommanderError } from 'commander'
import { Problem } from '../access/problem.ts'
import { ConfigError } from '../config.ts'
import { activityCommands } from './activity-commands.ts'
import { appCommands } from './app-commands.ts'
import { auditCommands } from './audit-commands.ts'
import { backupCommands } from './backup-commands.ts'
import type { Cli } from './cli.ts'
import { deadLetterCommands } from './dead-letter-commands.ts'
import { devCommand } from './dev-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { domainCommands } from './domain-commands.ts'
import { endpointCommands } from './endpoint-commands.ts'
import { eraseCommand } from './erase-command.ts'
import { eventCommands } from './event-commands.ts'
import { keyCommands } from './key-commands.ts'
import { listenCommand } from './listen-command.ts'
import { mailboxCommands } from './mailbox-commands.ts'
import { messageCommands } from './message-commands.ts'
import { objectCommands } from './object-commands.ts'
import { personCommands } from './person-commands.ts'
import { planCommands } from './plan-commands.ts'
import { complain } from './print.ts'
import { requestCommands } from './request-commands.ts'
import { secretKeyCommands } from './secret-key-commands.ts'
import { serveCommands } from './serve-commands.ts'
import { sessionCommands } from './session-commands.ts'
import { ssoCommands } from './sso-commands.ts'
import { suppressionCommands } from './suppression-commands.ts'
import { tenantCommands } from './tenant-commands.ts'

/** Exit statuses: what was asked for failed, or could not be understood. docs/operate.md */
const FAILED = 1
const MISUSED = 2

const EXIT_STATUSES = `
Results go to standard output: text on a terminal, one JSON object elsewhere or with --json. Errors go to standard error.
Exit status: 0 done, 1 failed, 2 not understood or wrongly configured. Every command explains itself with --help.`

/** Every command, as it stands in the operator's guide. `writeHelp` gets the help that a wrong use asks for. */
export function buildProgram(cli: Cli, writeHelp: (text: string) => void): Command {
  const program = new Command('mdk')
    .description('Mail Developer API: send, read and file mail over HTTP')
    .version(createRequire(import.meta.url)('../../package.json').version)
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXIT_STATUSES)
    .exitOverride()
    .configureOutput({ writeErr: writeHelp })
    .showHelpAfterError(false)
  for (const add of [
    devCommand,
    serveCommands,
    doctorCommand,
    planCommands,
    tenantCommands,
    domainCommands,
    mailboxCommands,
    personCommands,
    ssoCommands,
    sessionCommands,
    appCommands,
    keyCommands,
    messageCommands,
    suppressionCommands,
    endpointCommands,
    eventCommands,
    listenCommand,
    deadLetterCommands,
    requestCommands,
    auditCommands,
    objectCommands,
    activityCommands,
    backupCommands,
    eraseCommand,
    secretKeyCommands,
  ]) {
    add(program, cli)
  }
  return program
}

/** Runs one command to its end. Gives the exit status. */
export async function runCli(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // Wherever it stands in the line: the commands themselves need not know it.
  const asked = args.includes('--json')
  const cli: Cli = { env, json: asked || !process.stdout.isTTY, jsonErrors: asked || !process.stderr.isTTY, status: 0 }
  let help = ''
  const program = buildProgram(cli, (text) => {
    help += text
  })
  try {
    await program.parseAsync(
      args.filter((arg) => arg !== '--json'),
      { from: 'user' },
    )
    return cli.status
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const { code, lines } = describe(error, help)
    for (const line of lines) complain(cli, code, line)
    return error instanceof CommanderError || error instanceof ConfigError ? MISUSED : FAILED
  }
}

/** What went wrong, for people, a line for each fault: never a stack. `help` is what commander would have shown. */
function describe(error: unknown, help: string): { code: string; lines: string[] } {
  if (error instanceof ConfigError) return { code: 'configuration', lines: error.faults }
  if (error instanceof Problem) {
    const fields = error.details?.fields as { path: string; message: string }[] | undefined
    return { code: error.code, lines: fields?.map((field) => `${field.path}: ${field.message}`) ?? [error.message] }
  }
  if (error instanceof CommanderError) {
    if (error.code === 'commander.help') return { code: 'usage', lines: [`which command?\n\n${help}`] }
    return { code: 'usage', lines: [error.message.replace(/^error: /, '').replaceAll('\n', ' ')] }
  }
  return { code: 'failed', lines: [error instanceof Error ? error.message : String(error)] }
}
