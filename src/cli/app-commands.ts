// `mdk app …`, `mdk key …`
import { Option } from 'commander'
import { type Environment, operatorIn, productionOf } from '../access/actor.ts'
import type { Scope } from '../access/permissions.ts'
import { createApp } from '../apps/create-app.ts'
import { createKey } from '../apps/create-key.ts'
import { ownerOfApp } from '../apps/find-app.ts'
import { listKeys } from '../apps/list-keys.ts'
import { ownerOfKey } from '../apps/owner-of-key.ts'
import { revokeKey } from '../apps/revoke-key.ts'
import { setAppStatus } from '../apps/set-app-status.ts'
import { type AddCommands, duration, id, print, scopes, table, withDatabase } from './cli.ts'
import { operator } from './operator.ts'

export const appCommands: AddCommands = (program, cli) => {
  const app = program.command('app').description("a tenant's developer applications")
  app
    .command('create')
    .description('make an application; prints its id')
    .requiredOption('--tenant <id>', 'whose it is', id)
    .requiredOption('--name <name>', 'what it is called')
    .addOption(
      new Option('--environment <environment>', 'where its keys work')
        .choices(['production', 'sandbox'])
        .makeOptionMandatory(),
    )
    .action(async (options: { tenant: string; name: string; environment: Environment }) => {
      const { tenant, name, environment } = options
      const actor = operatorIn(operator(), productionOf(tenant))
      const created = await withDatabase(cli, (database) => createApp(database, actor, { name, environment }))
      print(cli, created, `Application ${created.id}`)
    })
  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'refuse every key of the application until it is resumed'],
    ['resume', 'active', 'end the suspension'],
  ] as const) {
    app
      .command(verb)
      .description(description)
      .argument('<id>', 'the application', id)
      .action(async (appId: string) => {
        await withDatabase(cli, async (database) =>
          setAppStatus(database, operatorIn(operator(), await ownerOfApp(database, appId)), appId, status),
        )
        print(cli, { id: appId, status }, `Application ${appId} is ${status}`)
      })
  }

  const key = program.command('key').description('API keys of an application')
  key
    .command('create')
    .description('make a key; it is shown only once')
    .requiredOption('--app <id>', 'whose it is', id)
    .requiredOption('--scope <scope>', 'what it may do; give it once for each scope', scopes)
    .option('--expires-in <duration>', 'for example 90d; never expires by default', duration)
    .option('--name <name>', 'what it is called')
    .action(async (options: { app: string; scope: Scope[]; expiresIn?: number; name?: string }) => {
      const created = await withDatabase(cli, async (database) =>
        createKey(database, operatorIn(operator(), await ownerOfApp(database, options.app)), {
          appId: options.app,
          scopes: options.scope,
          ...(options.name === undefined ? {} : { name: options.name }),
          ...(options.expiresIn === undefined ? {} : { expiresInMs: options.expiresIn }),
        }),
      )
      print(cli, created, `Key ${created.id}\n\n  ${created.key}\n\nIt is not shown again: store it now.`)
    })
  key
    .command('list')
    .description('the keys with their scopes, expiry and last use, newest first; nothing secret')
    .requiredOption('--app <id>', 'whose keys', id)
    .action(async ({ app }: { app: string }) => {
      const items = await withDatabase(cli, async (database) =>
        listKeys(database, operatorIn(operator(), await ownerOfApp(database, app)), app),
      )
      const columns = { id: 'ID', name: 'NAME', prefix: 'PREFIX', scopes: 'SCOPES', lastUsedAt: 'LAST USED' }
      const state = { expiresAt: 'EXPIRES', revokedAt: 'REVOKED' }
      print(cli, { items }, table(items, { ...columns, ...state }, 'No keys.'))
    })
  key
    .command('revoke')
    .description('revoke the key for good')
    .argument('<id>', 'the key', id)
    .action(async (keyId: string) => {
      await withDatabase(cli, async (database) =>
        revokeKey(database, operatorIn(operator(), await ownerOfKey(database, keyId)), keyId),
      )
      print(cli, { id: keyId, status: 'revoked' }, `Key ${keyId} is revoked`)
    })
}
