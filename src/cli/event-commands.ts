// `mdk events …`
import { InvalidArgumentError } from 'commander'
import { operatorIn } from '../access/actor.ts'
import { ownerOfApp } from '../apps/find-app.ts'
import { renewEpoch } from '../events/epoch.ts'
import { triggerEvent } from '../events/trigger-event.ts'
import { EVENT_TYPES } from '../events/types.ts'
import { type AddCommands, id, print, withDatabase } from './cli.ts'
import { operator } from './operator.ts'

export const eventCommands: AddCommands = (program, cli) => {
  const events = program.command('events').description('the canonical event log')
  events
    .command('trigger')
    .description('append a synthetic event for a sandbox application, to test a consumer or a webhook')
    .requiredOption('--app <id>', 'the sandbox application', id)
    .requiredOption('--type <type>', `one of ${EVENT_TYPES.join(', ')}`)
    .option('--data <json>', 'a JSON object whose members replace those of the example', jsonObject, {})
    .action(async (options: { app: string; type: string; data: Record<string, unknown> }) => {
      const { app, type, data } = options
      const event = await withDatabase(cli, async (database) =>
        triggerEvent(database, operatorIn(operator(), await ownerOfApp(database, app)), { type, data }),
      )
      print(cli, event, `Event ${event.id}: ${event.type} of ${event.resourceType} ${event.resourceId}`)
    })
  events
    .command('renew')
    .description(
      'have consumers miss nothing after the database was put back to an earlier state without being started',
    )
    .action(async () => {
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
