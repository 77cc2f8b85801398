// `mdk endpoint …`
import { problem } from '../access/problem.ts'
import { findApp } from '../apps/find-app.ts'
import { recordOperatorAct } from '../audit/record.ts'
import { openLane } from '../lib/queue/lanes.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import type { Db, Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { openSecretKeys } from '../secret-keys.ts'
import { WEBHOOK_QUEUE } from '../webhooks/delivery-state.ts'
import { endDeliveries } from '../webhooks/end-deliveries.ts'
import { findEndpointOwner, listEndpointsForOperator, setEnabled } from '../webhooks/endpoint-store.ts'
import { rotateSecret } from '../webhooks/manage-endpoints.ts'
import { type AddCommands, id, print, table, withDatabase } from './cli.ts'

export const endpointCommands: AddCommands = (program, cli) => {
  const endpoint = program.command('endpoint').description('webhook endpoints of an application')
  endpoint
    .command('list')
    .description('the endpoints with their failures, and when and why one was disabled')
    .requiredOption('--app <id>', 'whose endpoints', id)
    .action(async (options: { app: string }) => {
      const items = await withDatabase(cli, async (database) => {
        const app = await findApp(database, options.app)
        if (!app) throw problem('not_found', { message: 'There is no such application.' })
        return listEndpointsForOperator(database, { tenantId: app.tenantId, appId: app.id })
      })
      const columns = { id: 'ID', url: 'URL', eventTypes: 'EVENTS', enabled: 'ENABLED' }
      const state = { consecutiveFailures: 'FAILURES', disabledAt: 'DISABLED', disabledReason: 'WHY' }
      print(cli, { items }, table(items, { ...columns, ...state }, 'No endpoints.'))
    })
  for (const [verb, enabled, description] of [
    ['enable', true, 'deliver to it again, and count its failures from 0'],
    ['disable', false, 'deliver nothing to it; what is pending becomes dead'],
  ] as const) {
    endpoint
      .command(verb)
      .description(description)
      .argument('<id>', 'the endpoint', id)
      .action(async (endpointId: string) => {
        await withDatabase(cli, async (database) => {
          const { tenantId } = await database.transaction(async (tx) => {
            const owner = await ownerOf(tx, endpointId)
            await setEnabled(tx, owner, endpointId, enabled, 'disabled by the operator')
            const lane = { tenantId: owner.tenantId, queue: WEBHOOK_QUEUE, lane: endpointId }
            await openLane(tx, lane, enabled ? 1 : null)
            await audit(tx, owner.tenantId, `endpoint.${verb}`, endpointId)
            return owner
          })
          if (!enabled) await endDeliveries(database, { tenantId, id: endpointId })
        })
        print(cli, { id: endpointId, enabled }, `Endpoint ${endpointId} is ${verb}d`)
      })
  }
  endpoint
    .command('rotate-secret')
    .description('give it a new secret, shown only once; for 24 h deliveries carry both signatures')
    .argument('<id>', 'the endpoint', id)
    .action(async (endpointId: string) => {
      const secret = await withDatabase(cli, async (database, config) => {
        const box = createSecretBox(await openSecretKeys(config, database))
        const owner = await ownerOf(database, endpointId)
        const rotated = await rotateSecret({ database, box }, owner, endpointId, (tx) =>
          audit(tx, owner.tenantId, 'endpoint.rotate-secret', endpointId),
        )
        return rotated.secret
      })
      const shown = secret.reveal()
      print(cli, { id: endpointId, secret: shown }, `Secret ${shown}\n\nIt is not shown again: store it now.`)
    })
}

async function ownerOf(db: Db, endpointId: Uuid): Promise<{ tenantId: Uuid; appId: Uuid }> {
  const owner = await findEndpointOwner(db, endpointId)
  if (!owner) throw problem('not_found', { message: 'There is no such endpoint.' })
  return owner
}

function audit(tx: Tx, tenantId: Uuid, operation: string, resourceId: Uuid): Promise<void> {
  return recordOperatorAct(tx, { tenantId, operation, resourceType: 'webhook_endpoint', resourceId })
}
