// `mdk app …`
import { Option } from 'commander'
import { type Environment, operatorIn, productionOf } from '../access/actor.ts'
import { createApp } from '../apps/create-app.ts'
import { findApps, realmOfApp } from '../apps/find-apps.ts'
import { setAppStatus } from '../apps/set-app-status.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { type Place, theApp, theTenant } from './named.ts'
import { operator } from './operator.ts'
import { details, print, table } from './print.ts'
import { printReplay, type ReplayOptions, replaySince, SINCE, WAIT } from './replay-command.ts'

const COLUMNS = { id: 'ID', name: 'NAME', environment: 'ENVIRONMENT', status: 'STATUS', createdAt: 'MADE' }

export const appCommands: AddCommands = (program, cli) => {
  const app = program.command('app').description("a tenant's developer applications")
  withExamples(
    app.command('create').description('make an application; prints its id'),
    'app create --tenant "Example Ltd" --name Shop --environment production',
  )
    .requiredOption('--tenant <tenant>', 'whose it is, by id or name')
    .requiredOption('--name <name>', 'what it is called')
    .addOption(
      new Option('--environment <environment>', 'where its keys work')
        .choices(['production', 'sandbox'])
        .makeOptionMandatory(),
    )
    .action(async (options: { tenant: string; name: string; environment: Environment }) => {
      const { tenant, name, environment } = options
      const created = await withDatabase(cli, async (database) => {
        const actor = operatorIn(operator(), productionOf((await theTenant(database, tenant)).id))
        return createApp(database, actor, { name, environment })
      })
      print(cli, created, `Application ${created.id}`)
    })
  withExamples(
    app.command('list').description('the applications of a tenant, by name'),
    'app list --tenant "Example Ltd"',
  )
    .requiredOption('--tenant <tenant>', 'whose applications, by id or name')
    .action(async ({ tenant }: { tenant: string }) => {
      const items = await withDatabase(cli, async (database) =>
        findApps(database, { tenantId: (await theTenant(database, tenant)).id }),
      )
      print(cli, { items }, table(items, COLUMNS, 'No applications.'))
    })
  withExamples(
    app.command('show').description('one application'),
    'app show Shop',
    'app show Shop --tenant "Example Ltd"',
  )
    .argument('<app>', 'its id or name')
    .option('--tenant <tenant>', 'whose it is, where others have the name')
    .action(async (text: string, { tenant }: Place) => {
      const found = await withDatabase(cli, (database) => theApp(database, text, tenant))
      print(cli, found, details(found, { ...COLUMNS, tenantName: 'TENANT', tenantId: 'TENANT ID' }))
    })
  withExamples(
    app.command('replay').description('replay every delivery to its endpoints that died since an instant'),
    'app replay Shop --since 2026-01-31T12:00Z',
  )
    .argument('<app>', 'its id or name')
    .option('--tenant <tenant>', 'whose it is, where others have the name')
    .requiredOption(...SINCE)
    .option(...WAIT)
    .action(async (text: string, { tenant, ...options }: Place & ReplayOptions) => {
      const replay = await withDatabase(cli, async (database) => {
        const found = await theApp(database, text, tenant)
        const actor = operatorIn(operator(), realmOfApp(found))
        return replaySince(cli, database, actor, { appId: found.id }, options)
      })
      printReplay(cli, replay)
    })
  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'refuse every key of the application until it is resumed'],
    ['resume', 'active', 'end the suspension'],
  ] as const) {
    withExamples(app.command(verb).description(description), `app ${verb} Shop --tenant "Example Ltd"`)
      .argument('<app>', 'its id or name')
      .option('--tenant <tenant>', 'whose it is, where others have the name')
      .action(async (text: string, { tenant }: Place) => {
        const { id, name } = await withDatabase(cli, async (database) => {
          const found = await theApp(database, text, tenant)
          await setAppStatus(database, operatorIn(operator(), realmOfApp(found)), found.id, status)
          return found
        })
        print(cli, { id, status }, `Application ${name} (${id}) is ${status}`)
      })
  }
}
