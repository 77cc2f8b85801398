// `mdk events …`
import { InvalidArgumentError } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { realmOfApp } from '../apps/find-apps.ts'
import { renewEpoch } from '../events/epoch.ts'
import { eventOfId, newestEvents } from '../events/newest-events.ts'
import { triggerEvent } from '../events/trigger-event.ts'
import { EVENT_TYPES } from '../events/types.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { type Place, theApp, theRealm } from './named.ts'
import { operator } from './operator.ts'
import { details, print, table } from './print.ts'
import { id, limit } from './values.ts'

export const eventCommands: AddCommands = (program, cli) => {
  const events = program.command('events').description('the canonical event log')
  withExamples(
    events.command('list').description("a tenant's production events, or those of a sandbox application, newest first"),
    'events list --tenant "Example Ltd" --limit 20',
    'events list --app "Shop sandbox"',
  )
    .option('--tenant <tenant>', 'whose events, by id or name')
    .option('--app <app>', 'of what this application sees, by id or name')
    .option('--limit <n>', 'the most to list', limit, 100)
    .action(async (options: Place & { limit: number }) => {
      const items = await withDatabase(cli, async (database) =>
        newestEvents(database, await theRealm(database, options), options.limit),
      )
      const columns = { occurredAt: 'AT', type: 'TYPE', resourceId: 'OF', id: 'ID' }
      print(cli, { items }, table(items, columns, 'No events.'))
    })
  withExamples(
    events.command('show').description('one event with its data'),
    'events show 01a1fc13-1c8d-765b-adca-961947868a21',
  )
    .argument('<id>', 'the event', id)
    .action(async (eventId: string) => {
      const event = await withDatabase(cli, (database) => eventOfId(database, eventId))
      const columns = {
        id: 'ID',
        type: 'TYPE',
        occurredAt: 'AT',
        resourceType: 'ON',
        resourceId: 'OF',
        tenantId: 'TENANT',
      }
      print(cli, event, `${details(event, columns)}\n\n${JSON.stringify(event.data, null, 2)}`)
    })
  withExamples(
    events
      .command('trigger')
      .description('append a synthetic event for a sandbox application, to test a consumer or a webhook'),
    'events trigger --app "Shop sandbox" --type message.delivered',
    `events trigger --app "Shop sandbox" --type message.bounced --data '{"recipient":"a@example.com"}'`,
  )
    .requiredOption('--app <app>', 'the sandbox application, by id or name')
    .option('--tenant <tenant>', 'whose the application is, where others have its name')
    .requiredOption('--type <type>', `one of ${EVENT_TYPES.join(', ')}`)
    .option('--data <json>', 'a JSON object whose members replace those of the example', jsonObject, {})
    .action(async (options: Place & { app: string; type: string; data: Record<string, unknown> }) => {
      const { app, tenant, type, data } = options
      const event = await withDatabase(cli, async (database) => {
        const realm = realmOfApp(await theApp(database, app, tenant))
        return triggerEvent(database, operatorIn(operator(), realm), { type, data })
      })
      print(cli, event, `Event ${event.id}: ${event.type} of ${event.resourceType} ${event.resourceId}`)
    })
  withExamples(
    events
      .command('renew')
      .description(
        'have consumers miss nothing after the database was put back to an earlier state without being started',
      ),
    'events renew',
  ).action(async () => {
    const epoch = await withDatabase(cli, (database) => renewEpoch(database, operator()))
    print(cli, { epoch }, `New events come behind every cursor that was given out (epoch ${epoch})`)
  })
}

function jsonObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('It is not JSON.')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new InvalidArgumentError('It is not a JSON object.')
  }
  return value as Record<string, unknown>
}
