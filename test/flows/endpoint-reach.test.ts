// What people and the operator do with the endpoints of applications: by the verbs of applications, and recorded as theirs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person } from '../../src/access/actor.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createEndpoint } from '../../src/webhooks/create-endpoint.ts'
import { disableEndpoint } from '../../src/webhooks/disable-endpoint.ts'
import { listEndpoints } from '../../src/webhooks/list-endpoints.ts'
import { replayDelivery } from '../../src/webhooks/replay-delivery.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeOneOfEach, openVerbDeps } from '../support/one-of-each.ts'
import { operatorOf } from '../support/operator.ts'

const { database } = await createTestDatabase()
const deps = await openVerbDeps(database)
const { maker, appId, endpointId, deliveryId } = await makeOneOfEach(deps, 'production')
const { tenantId, environmentId, origin } = maker
const input = { url: deps.receiver.url, eventTypes: ['*' as const] }
const owner: Person = {
  kind: 'person',
  tenantId,
  environmentId,
  personId: newId(),
  role: 'owner',
  signedInRecently: true,
  origin,
}

test('an Owner disables an endpoint by the verb of application and operator, and the record says who', async () => {
  await disableEndpoint(database, owner, endpointId)
  const [listed] = await listEndpoints(database, owner, appId)
  assert.deepEqual([listed?.enabled, listed?.disabledReason], [false, 'disabled in the console'])
  await disableEndpoint(database, operatorOf(tenantId), endpointId)
  assert.equal((await listEndpoints(database, owner))[0]?.disabledReason, 'disabled in the console')
  const { rows } = await database.pool.query(
    `select person_id, account from audit_log where resource_id = $1 and operation = 'endpoint.disable' order by at, id`,
    [endpointId],
  )
  assert.deepEqual(rows, [
    { person_id: owner.personId, account: null },
    { person_id: null, account: 'tests' },
  ])
  const replay = database.transaction((tx) => replayDelivery(tx, owner, deliveryId))
  await assert.rejects(replay, { code: 'endpoint_disabled' })
})

test('an Owner makes an endpoint for an application of the environment, and for no other', async () => {
  const made = await createEndpoint(deps, owner, appId, input)
  assert.equal(made.endpoint.appId, appId)
  assert.deepEqual(
    (await listEndpoints(database, owner, appId)).map(({ id }) => id),
    [endpointId, made.endpoint.id],
  )
  const sandbox = await createApp(database, owner, { name: 'Sandbox', environment: 'sandbox' })
  await assert.rejects(createEndpoint(deps, owner, sandbox.id, input), { code: 'not_found' })
  const inSandbox = { ...owner, environmentId: sandbox.id }
  await assert.rejects(createEndpoint(deps, inSandbox, appId, input), { code: 'not_found' })
  assert.equal((await createEndpoint(deps, inSandbox, sandbox.id, input)).endpoint.appId, sandbox.id)
})
