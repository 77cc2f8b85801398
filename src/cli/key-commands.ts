// `mdk key …`
import { operatorIn, productionOf } from '../access/actor.ts'
import type { Scope } from '../access/permissions.ts'
import { createKey } from '../apps/create-key.ts'
import { realmOfApp } from '../apps/find-apps.ts'
import { listKeys } from '../apps/list-keys.ts'
import { revokeKey } from '../apps/revoke-key.ts'
import { createHashTurns } from '../lib/hash-turns.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { type Place, theApp, theKey } from './named.ts'
import { operator } from './operator.ts'
import { details, print, table } from './print.ts'
import { duration, scopes } from './values.ts'

const COLUMNS = {
  id: 'ID',
  name: 'NAME',
  prefix: 'BEGINS',
  scopes: 'SCOPES',
  lastUsedAt: 'LAST USED',
  expiresAt: 'EXPIRES',
  revokedAt: 'REVOKED',
}

const APP = '--app <app>'
const TENANT = '--tenant <tenant>'
const WHOSE_APP = 'whose the application is, where others have its name'

interface NewKey extends Place {
  app: string
  scope: Scope[]
  expiresIn?: number
  name?: string
}

export const keyCommands: AddCommands = (program, cli) => {
  const key = program.command('key').description('API keys of an application')
  withExamples(
    key.command('create').description('make a key; it is shown only once'),
    'key create --app Shop --scope messages:send --scope messages:read',
    'key create --app Shop --tenant "Example Ltd" --scope messages:read --expires-in 90d --name reports',
  )
    .requiredOption(APP, 'whose it is, by id or name')
    .option(TENANT, WHOSE_APP)
    .requiredOption('--scope <scope>', 'what it may do; give it once for each scope', scopes)
    .option('--expires-in <duration>', 'for example 90d; never expires by default', duration)
    .option('--name <name>', 'what it is called')
    .action(async ({ app, tenant, scope, expiresIn, name }: NewKey) => {
      const created = await withDatabase(cli, async (database) => {
        const found = await theApp(database, app, tenant)
        return createKey({ database, keyHasher: createHashTurns().keys }, operatorIn(operator(), realmOfApp(found)), {
          appId: found.id,
          scopes: scope,
          ...(name === undefined ? {} : { name }),
          ...(expiresIn === undefined ? {} : { expiresInMs: expiresIn }),
        })
      })
      print(cli, created, `Key ${created.id}\n\n  ${created.key}\n\nIt is not shown again: store it now.`)
    })
  withExamples(
    key.command('list').description('the keys with their scopes, expiry and last use, newest first; nothing secret'),
    'key list --app Shop',
  )
    .requiredOption(APP, 'whose keys, by id or name')
    .option(TENANT, WHOSE_APP)
    .action(async ({ app, tenant }: Place & { app: string }) => {
      const items = await withDatabase(cli, async (database) => {
        const found = await theApp(database, app, tenant)
        return listKeys(database, operatorIn(operator(), realmOfApp(found)), found.id)
      })
      print(cli, { items }, table(items, COLUMNS, 'No keys.'))
    })
  withExamples(
    key.command('show').description('one key; nothing secret'),
    'key show reports --app Shop',
    'key show mdk_live_0a1B2c',
  )
    .argument('<key>', 'its id, its name, or what it begins with')
    .option(APP, 'whose it is, where others have the name')
    .option(TENANT, WHOSE_APP)
    .action(async (text: string, place: Place) => {
      const found = await withDatabase(cli, async (database) => {
        const named = await theKey(database, text, place)
        const keys = await listKeys(database, operatorIn(operator(), productionOf(named.tenantId)), named.appId)
        return { ...named, ...keys.find(({ id }) => id === named.id) }
      })
      print(cli, found, details(found, { ...COLUMNS, appId: 'APPLICATION', tenantId: 'TENANT' }))
    })
  withExamples(
    key.command('revoke').description('revoke the key for good'),
    'key revoke reports --app Shop',
    'key revoke mdk_live_0a1B2c',
  )
    .argument('<key>', 'its id, its name, or what it begins with')
    .option(APP, 'whose it is, where others have the name')
    .option(TENANT, WHOSE_APP)
    .action(async (text: string, place: Place) => {
      const { id, prefix } = await withDatabase(cli, async (database) => {
        const found = await theKey(database, text, place)
        await revokeKey(database, operatorIn(operator(), productionOf(found.tenantId)), found.id)
        return found
      })
      print(cli, { id, status: 'revoked' }, `Key ${prefix}… (${id}) is revoked`)
    })
}
