// `mdk serve`, `mdk migrate`
import { InvalidArgumentError } from 'commander'
import { ROLES, type Role, readConfig } from '../config.ts'
import { openServiceDatabase } from '../database.ts'
import { createLog } from '../lib/log.ts'
import { limitsBeyondGuard } from '../ops/limit-beyond-guard.ts'
import { type AddCommands, withExamples } from './cli.ts'
import { complain, print } from './print.ts'
import { runUntilStopped } from './until-stopped.ts'

export const serveCommands: AddCommands = (program, cli) => {
  withExamples(
    program.command('serve').description('run the service; brings the database to its schema first'),
    'serve',
    'serve --roles api,inbound',
  )
    .option('--roles <roles>', `which of ${ROLES.join(',')}; all unless given`, parseRoles, [...ROLES])
    .action(async (options: { roles: Role[] }) => {
      const config = readConfig(cli.env, options.roles)
      const log = createLog(config.logLevel)
      // Loaded for this command alone: the others start several times as fast without it.
      const [{ serve }, { createMetrics }] = await Promise.all([
        import('../serve.ts'),
        import('../servers/ops/metrics.ts'),
      ])
      await runUntilStopped(async () => {
        const service = await serve({ config, roles: options.roles, log, metrics: createMetrics() })
        if (options.roles.includes('api')) {
          const warnings = await limitsBeyondGuard(service.database, config).catch(() => [])
          for (const warning of warnings) complain(cli, 'key_limit_above_ip_guard', warning)
        }
        return service
      }, log)
    })

  withExamples(program.command('migrate').description("bring the database to this version's schema"), 'migrate').action(
    async () => {
      const config = readConfig(cli.env)
      const log = createLog('error', { write: (line: string) => void process.stderr.write(line) })
      const { applied, close } = await openServiceDatabase({ config, log, hold: 'command' })
      await close()
      print(cli, { applied }, applied.length > 0 ? `Applied:\n  ${applied.join('\n  ')}` : 'Nothing to do.')
    },
  )
}

function parseRoles(text: string): Role[] {
  const roles = text.split(',').map((role) => role.trim())
  const unknown = roles.find((role) => !ROLES.includes(role as Role))
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is none of ${ROLES.join(', ')}.`)
  return roles as Role[]
}
