// `mdk endpoint …`
import { operatorIn } from '../access/actor.ts'
import { ownerOfApp } from '../apps/find-app.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { openSecretKeys } from '../secret-keys.ts'
import { disableEndpoint } from '../webhooks/disable-endpoint.ts'
import { enableEndpoint } from '../webhooks/enable-endpoint.ts'
import { listEndpoints } from '../webhooks/list-endpoints.ts'
import { ownerOfEndpoint } from '../webhooks/owner-of-endpoint.ts'
import { rotateSecret } from '../webhooks/rotate-secret.ts'
import { type AddCommands, id, print, table, withDatabase } from './cli.ts'
import { operator } from './operator.ts'

export const endpointCommands: AddCommands = (program, cli) => {
  const endpoint = program.command('endpoint').description('webhook endpoints of an application')
  endpoint
    .command('list')
    .description('the endpoints with their failures, and when and why one was disabled')
    .requiredOption('--app <id>', 'whose endpoints', id)
    .action(async ({ app }: { app: string }) => {
      const items = await withDatabase(cli, async (database) =>
        listEndpoints(database, operatorIn(operator(), await ownerOfApp(database, app)), app),
      )
      const columns = { id: 'ID', url: 'URL', eventTypes: 'EVENTS', enabled: 'ENABLED' }
      const state = { consecutiveFailures: 'FAILURES', disabledAt: 'DISABLED', disabledReason: 'WHY' }
      print(cli, { items }, table(items, { ...columns, ...state }, 'No endpoints.'))
    })
  for (const [name, enabled, verb, description] of [
    ['enable', true, enableEndpoint, 'deliver to it again, and count its failures from 0'],
    ['disable', false, disableEndpoint, 'deliver nothing to it; what is pending becomes dead'],
  ] as const) {
    endpoint
      .command(name)
      .description(description)
      .argument('<id>', 'the endpoint', id)
      .action(async (endpointId: string) => {
        await withDatabase(cli, async (database) =>
          verb(database, operatorIn(operator(), await ownerOfEndpoint(database, endpointId)), endpointId),
        )
        print(cli, { id: endpointId, enabled }, `Endpoint ${endpointId} is ${name}d`)
      })
  }
  endpoint
    .command('rotate-secret')
    .description('give it a new secret, shown only once; for 24 h deliveries carry both signatures')
    .argument('<id>', 'the endpoint', id)
    .action(async (endpointId: string) => {
      const { secret } = await withDatabase(cli, async (database, config) => {
        const box = createSecretBox(await openSecretKeys(config, database))
        const actor = operatorIn(operator(), await ownerOfEndpoint(database, endpointId))
        return rotateSecret({ database, box }, actor, endpointId)
      })
      const shown = secret.reveal()
      print(cli, { id: endpointId, secret: shown }, `Secret ${shown}\n\nIt is not shown again: store it now.`)
    })
}
