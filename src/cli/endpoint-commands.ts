// `mdk endpoint …`
import { operatorIn } from '../access/actor.ts'
import { realmOfApp } from '../apps/find-apps.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { openSecretKeys } from '../secret-keys.ts'
import { disableEndpoint } from '../webhooks/disable-endpoint.ts'
import { enableEndpoint } from '../webhooks/enable-endpoint.ts'
import { listEndpoints } from '../webhooks/list-endpoints.ts'
import { rotateSecret } from '../webhooks/rotate-secret.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { type Place, theApp, theEndpoint } from './named.ts'
import { operator } from './operator.ts'
import { details, print, table } from './print.ts'
import { printReplay, type ReplayOptions, replaySince, SINCE, WAIT } from './replay-command.ts'

const COLUMNS = {
  id: 'ID',
  url: 'URL',
  eventTypes: 'EVENTS',
  enabled: 'ENABLED',
  consecutiveFailures: 'FAILURES',
  disabledAt: 'DISABLED',
  disabledReason: 'WHY',
}

const WHICH = 'its id, or its URL where no other has it'

export const endpointCommands: AddCommands = (program, cli) => {
  const endpoint = program.command('endpoint').description('webhook endpoints of an application')
  withExamples(
    endpoint.command('list').description('the endpoints with their failures, and when and why one was disabled'),
    'endpoint list --app Shop',
  )
    .requiredOption('--app <app>', 'whose endpoints, by id or name')
    .option('--tenant <tenant>', 'whose the application is, where others have its name')
    .action(async ({ app, tenant }: Place & { app: string }) => {
      const items = await withDatabase(cli, async (database) => {
        const found = await theApp(database, app, tenant)
        return listEndpoints(database, operatorIn(operator(), realmOfApp(found)), found.id)
      })
      print(cli, { items }, table(items, COLUMNS, 'No endpoints.'))
    })
  withExamples(
    endpoint.command('show').description('one endpoint; nothing secret'),
    'endpoint show https://shop.example.com/hooks',
  )
    .argument('<endpoint>', WHICH)
    .action(async (text: string) => {
      const shown = await withDatabase(cli, async (database) => {
        const found = await theEndpoint(database, text)
        const all = await listEndpoints(database, operatorIn(operator(), found), found.appId)
        return { ...found, ...all.find(({ id }) => id === found.id) }
      })
      print(cli, shown, details(shown, { ...COLUMNS, createdAt: 'MADE', appId: 'APPLICATION', tenantId: 'TENANT' }))
    })
  for (const [name, enabled, verb, description] of [
    ['enable', true, enableEndpoint, 'deliver to it again, and count its failures from 0'],
    ['disable', false, disableEndpoint, 'deliver nothing to it; what is pending becomes dead'],
  ] as const) {
    withExamples(endpoint.command(name).description(description), `endpoint ${name} https://shop.example.com/hooks`)
      .argument('<endpoint>', WHICH)
      .action(async (text: string) => {
        const { id, url } = await withDatabase(cli, async (database) => {
          const found = await theEndpoint(database, text)
          await verb(database, operatorIn(operator(), found), found.id)
          return found
        })
        print(cli, { id, enabled }, `Endpoint ${url} (${id}) is ${name}d`)
      })
  }
  withExamples(
    endpoint.command('replay').description('replay every delivery to it that died since an instant'),
    'endpoint replay https://shop.example.com/hooks --since 2026-01-31T12:00Z',
  )
    .argument('<endpoint>', WHICH)
    .requiredOption(...SINCE)
    .option(...WAIT)
    .action(async (text: string, options: ReplayOptions) => {
      const replay = await withDatabase(cli, async (database) => {
        const found = await theEndpoint(database, text)
        return replaySince(cli, database, operatorIn(operator(), found), { endpointId: found.id }, options)
      })
      printReplay(cli, replay)
    })
  withExamples(
    endpoint
      .command('rotate-secret')
      .description('give it a new secret, shown only once; for 24 h deliveries carry both signatures'),
    'endpoint rotate-secret https://shop.example.com/hooks',
  )
    .argument('<endpoint>', WHICH)
    .action(async (text: string) => {
      const { id, secret } = await withDatabase(cli, async (database, config) => {
        const box = createSecretBox(await openSecretKeys(config, database))
        const found = await theEndpoint(database, text)
        const rotated = await rotateSecret({ database, box }, operatorIn(operator(), found), found.id)
        return { id: found.id, secret: rotated.secret.reveal() }
      })
      print(cli, { id, secret }, `Secret ${secret}\n\nIt is not shown again: store it now.`)
    })
}
