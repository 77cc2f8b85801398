// Verbs ask whose a thing is and what the actor may: what lies in another tenant is absent for everybody, the operator at a
// tenant's data too, and an Admin neither ends data nor comes by a secret.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Person, TenantActor } from '../../src/access/actor.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { listKeys } from '../../src/apps/list-keys.ts'
import { revokeKey } from '../../src/apps/revoke-key.ts'
import { setAppStatus } from '../../src/apps/set-app-status.ts'
import { parseNetwork } from '../../src/lib/network.ts'
import { createPublicFetch } from '../../src/lib/public-fetch.ts'
import { createSecretBox, parseSecretKeys } from '../../src/lib/secret-box.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { renameMailbox } from '../../src/mailboxes/rename-mailbox.ts'
import { setMailboxStatus } from '../../src/mailboxes/set-mailbox-status.ts'
import { deleteMessage } from '../../src/messages/delete-message.ts'
import { holdMessage } from '../../src/messages/hold-message.ts'
import { purgeMessage } from '../../src/messages/purge-message.ts'
import { releaseMessage } from '../../src/messages/release-message.ts'
import { createEndpoint } from '../../src/webhooks/create-endpoint.ts'
import { deleteEndpoint } from '../../src/webhooks/delete-endpoint.ts'
import { disableEndpoint } from '../../src/webhooks/disable-endpoint.ts'
import { enableEndpoint } from '../../src/webhooks/enable-endpoint.ts'
import { listEndpoints } from '../../src/webhooks/list-endpoints.ts'
import { replayDelivery } from '../../src/webhooks/replay-delivery.ts'
import { rotateSecret } from '../../src/webhooks/rotate-secret.ts'
import { createSigningKeyring } from '../../src/webhooks/signing-keys.ts'
import { testEndpoint } from '../../src/webhooks/test-endpoint.ts'
import { updateEndpoint } from '../../src/webhooks/update-endpoint.ts'
import { send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { operatorOf } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { createTestTenant } from '../support/tenant.ts'
import { subscribe } from '../support/webhook-subscriber.ts'

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const box = createSecretBox(parseSecretKeys(`1:${Buffer.alloc(32).toString('base64')}`))
const receiver = await startReceiver()
const { tenant, endpoint } = await subscribe(url, database, receiver)
const { tenantId, appId, mailboxId } = tenant
const sent = await send(url, tenant.key, { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' })
const messageId: Uuid = sent.body.id
const { id: keyId } = await createKey(database, operatorOf(tenantId), { appId, scopes: ['messages:read'] })
const { rows } = await database.pool.query('select id from webhook_deliveries where tenant_id = $1', [tenantId])
const deliveryId: Uuid = rows[0].id

const webhookAllow = [parseNetwork('127.0.0.0/8')]
const publicFetch = createPublicFetch({ allow: webhookAllow, dnsServers: [], timeoutMs: 5_000 })
after(() => publicFetch.close())
const webhooks = { database, box, publicFetch, webhookAllow, keyring: createSigningKeyring(box) }
const input = { url: receiver.url, eventTypes: ['*' as const] }

/** What ends data, makes or shows a secret, or changes what an Owner has set up. */
const OWNERS: Record<string, (actor: TenantActor) => Promise<unknown>> = {
  holdMessage: (actor) => holdMessage(database, actor, messageId),
  releaseMessage: (actor) => releaseMessage(database, actor, messageId),
  purgeMessage: (actor) => purgeMessage(database, actor, messageId),
  deleteMessage: (actor) => deleteMessage(database, actor, messageId),
  createEndpoint: (actor) => createEndpoint(webhooks, actor, appId, input),
  updateEndpoint: (actor) => updateEndpoint(webhooks, actor, endpoint.id, { description: 'Taken' }),
  deleteEndpoint: (actor) => deleteEndpoint(database, actor, endpoint.id),
  testEndpoint: (actor) => testEndpoint(webhooks, actor, endpoint.id),
  enableEndpoint: (actor) => enableEndpoint(database, actor, endpoint.id),
  disableEndpoint: (actor) => disableEndpoint(database, actor, endpoint.id),
  rotateSecret: (actor) => rotateSecret({ database, box }, actor, endpoint.id),
  setAppStatus: (actor) => setAppStatus(database, actor, appId, 'suspended'),
  createKey: (actor) => createKey(database, actor, { appId, scopes: ['messages:read'] }),
  revokeKey: (actor) => revokeKey(database, actor, keyId),
  setMailboxStatus: (actor) => setMailboxStatus(database, actor, mailboxId, 'suspended'),
  renameMailbox: (actor) => renameMailbox(database, actor, mailboxId, 'Taken'),
}
const replay = (actor: TenantActor) => database.transaction((tx) => replayDelivery(tx, actor, deliveryId))

const state = async () => {
  const { rows } = await database.pool.query(
    `select (select jsonb_agg(to_jsonb(m) order by m.id) from messages m where m.tenant_id = $1) as messages,
      (select jsonb_agg(to_jsonb(w) order by w.id) from webhook_endpoints w where w.tenant_id = $1) as endpoints,
      (select jsonb_agg(to_jsonb(d) order by d.id) from webhook_deliveries d where d.tenant_id = $1) as deliveries,
      (select jsonb_agg(to_jsonb(k) order by k.id) from api_keys k where k.tenant_id = $1) as keys,
      (select jsonb_agg(to_jsonb(a) order by a.id) from apps a where a.tenant_id = $1) as apps,
      (select jsonb_agg(to_jsonb(b) order by b.id) from mailboxes b where b.tenant_id = $1) as mailboxes,
      (select count(*) from audit_log l where l.tenant_id = $1) as acts`,
    [tenantId],
  )
  return rows[0]
}

const person = (role: Person['role']): Person => ({
  kind: 'person',
  tenantId,
  environmentId: tenantId,
  personId: newId(),
  role,
  origin: { requestId: newId(), clientAddress: '192.0.2.1', userAgent: null },
})

test('what lies in another tenant or environment is absent, for the operator at its data too', async () => {
  const before = await state()
  const stranger = operatorOf((await createTestTenant(database)).tenantId)
  for (const [name, verb] of Object.entries({ ...OWNERS, replay })) {
    await assert.rejects(verb(stranger), { code: 'not_found' }, name)
  }
  const sandbox = operatorOf(tenantId, newId())
  for (const name of [
    'holdMessage',
    'purgeMessage',
    'deleteMessage',
    'createEndpoint',
    'deleteEndpoint',
    'disableEndpoint',
    'rotateSecret',
  ]) {
    await assert.rejects(
      (OWNERS[name] as (actor: TenantActor) => Promise<unknown>)(sandbox),
      { code: 'not_found' },
      name,
    )
  }
  assert.deepEqual(await listEndpoints(database, sandbox), [])
  assert.deepEqual(await state(), before)
})

test('an Admin reads and replays, and neither ends data nor comes by a secret', async () => {
  const admin = person('admin')
  const before = await state()
  for (const [name, verb] of Object.entries(OWNERS)) await assert.rejects(verb(admin), { code: 'forbidden' }, name)
  const mailbox = { address: `b@${tenant.address.split('@')[1]}`, displayName: 'B' }
  await assert.rejects(createMailbox(database, admin, mailbox), { code: 'forbidden' })
  assert.deepEqual(await state(), before)
  assert.equal((await listEndpoints(database, admin)).length, 1)
  assert.equal((await listKeys(database, admin, appId)).length, 2)
  assert.equal((await replay(admin)).cycle, 2)
})

test('an Owner disables an endpoint by the verb of application and operator, and the record says who', async () => {
  const owner = person('owner')
  await disableEndpoint(database, owner, endpoint.id)
  const [listed] = await listEndpoints(database, owner, appId)
  assert.deepEqual([listed?.enabled, listed?.disabledReason], [false, 'disabled in the console'])
  await disableEndpoint(database, operatorOf(tenantId), endpoint.id)
  assert.equal((await listEndpoints(database, owner))[0]?.disabledReason, 'disabled in the console')
  const { rows } = await database.pool.query(
    `select person_id, account from audit_log where resource_id = $1 and operation = 'endpoint.disable' order by at, id`,
    [endpoint.id],
  )
  assert.deepEqual(rows, [
    { person_id: owner.personId, account: null },
    { person_id: null, account: 'tests' },
  ])
  await assert.rejects(replay(owner), { code: 'endpoint_disabled' })
})

test('an Owner makes an endpoint for an application of the environment, and for no other', async () => {
  const owner = person('owner')
  const made = await createEndpoint(webhooks, owner, appId, input)
  assert.equal(made.endpoint.appId, appId)
  assert.deepEqual(
    (await listEndpoints(database, owner, appId)).map(({ id }) => id),
    [endpoint.id, made.endpoint.id],
  )
  const sandbox = await createApp(database, owner, { name: 'Sandbox', environment: 'sandbox' })
  await assert.rejects(createEndpoint(webhooks, owner, sandbox.id, input), { code: 'not_found' })
  const inSandbox = { ...owner, environmentId: sandbox.id }
  await assert.rejects(createEndpoint(webhooks, inSandbox, appId, input), { code: 'not_found' })
  assert.equal((await createEndpoint(webhooks, inSandbox, sandbox.id, input)).endpoint.appId, sandbox.id)
})
