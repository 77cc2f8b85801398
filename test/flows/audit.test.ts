// Whatever is changed leaves a record of who changed what, when and from where: every operation that writes, as the
// contract lists them, and every command, as the command line lists them.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Command } from 'commander'
import { listKeys } from '../../src/apps/list-keys.ts'
import { listAudit, listAuditOfAll } from '../../src/audit/list-audit.ts'
import { AUDIT_KEPT_DAYS, sweepAudit } from '../../src/audit/sweep-audit.ts'
import { buildProgram } from '../../src/cli/run-cli.ts'
import { forgetSenders } from '../../src/events/forget-senders.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { OPERATIONS } from '../../src/servers/api/operations.ts'
import { type Answer, call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { mdkHere } from '../support/mdk.ts'
import { operatorOf } from '../support/operator.ts'
import { startReceiver } from '../support/receiver.ts'
import { TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const receiver = await startReceiver()
const dataDir = await temporaryFolder('mdk-audit-')
const { url } = await startTestApi(database, { store: await openFileStore(join(dataDir, 'objects')) })
after(() => rm(dataDir, { recursive: true, force: true }))
// Nobody answers there: what these commands do does not wait for the DNS.
const env = {
  MDK_DATABASE_URL: databaseUrl,
  MDK_DATA_DIR: dataDir,
  MDK_DNS_SERVERS: '127.0.0.1:1',
  MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT,
}

const tenant = await createTestTenant(database)
const [key] = await listKeys(database, operatorOf(tenant.tenantId), tenant.appId)
const { mailboxId } = tenant
const bytes = Buffer.from('content')
const file = { mailboxId, filename: 'a.txt', mediaType: 'text/plain' }

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await call(url, method, path, {
    key: tenant.key,
    body,
    headers: { 'idempotency-key': newId(), ...headers },
  })
  assert(answer.status < 300, JSON.stringify(answer.body))
  return answer
}

const auditOf = async (requestId: string | null) =>
  (await listAuditOfAll(database, 1_000))
    .filter((record) => record.requestId === requestId)
    .map(({ tenantId, appId, keyId, operation, resourceType, resourceId, clientAddress, userAgent, at }) => ({
      ...{ tenantId, appId, keyId, operation, resourceType, resourceId, clientAddress, userAgent },
      now: Date.now() - Date.parse(at) < 60_000,
    }))

const newEndpoint = () => ask('POST', '/v1/webhook-endpoints', { url: receiver.url, eventTypes: ['*'] })
const { endpoint } = (await newEndpoint()).body
const sent = (await ask('POST', '/v1/messages', { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' })).body
const deliveries = await ask('GET', '/v1/webhook-deliveries')

interface Write {
  resourceType: string
  /** Does it; gives the answer and the id of what it was done to. */
  run(): Promise<[Answer, string]>
}

const doTo = (id: string, method: string, path: string, body?: unknown): Write['run'] => {
  return async () => [await ask(method, path.replace('*', id), body, { 'user-agent': 'Shop/1.0 (test)' }), id]
}
const make = (path: string, body: unknown, idOf: (answer: Answer) => string): Write['run'] => {
  return async () => {
    const answer = await ask('POST', path, body, { 'user-agent': 'Shop/1.0 (test)' })
    return [answer, idOf(answer)]
  }
}

const announced = { ...file, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }

/** What deletes comes last. */
const WRITES: Record<string, Write> = {
  sendMessage: {
    resourceType: 'message',
    run: make('/v1/messages', { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' }, ({ body }) => body.id),
  },
  updateMessage: {
    resourceType: 'message',
    run: doTo(sent.id, 'PATCH', '/v1/messages/*', { mailboxId, isStarred: true }),
  },
  prepareAttachmentUpload: {
    resourceType: 'upload',
    run: make('/v1/attachments/uploads', announced, ({ body }) => body.uploadId),
  },
  completeAttachmentUpload: {
    resourceType: 'attachment',
    async run() {
      const { uploadId, upload } = (await ask('POST', '/v1/attachments/uploads', announced)).body
      assert((await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: bytes })).ok)
      return doTo(uploadId, 'POST', '/v1/attachments/uploads/*/complete')()
    },
  },
  uploadAttachment: {
    resourceType: 'attachment',
    run: make(
      '/v1/attachments',
      { ...file, contentBase64: bytes.toString('base64') },
      ({ body }) => body.attachment.id,
    ),
  },
  createWebhookEndpoint: {
    resourceType: 'webhook_endpoint',
    run: make('/v1/webhook-endpoints', { url: receiver.url, eventTypes: ['*'] }, ({ body }) => body.endpoint.id),
  },
  updateWebhookEndpoint: {
    resourceType: 'webhook_endpoint',
    run: doTo(endpoint.id, 'PATCH', '/v1/webhook-endpoints/*', { description: 'changed' }),
  },
  rotateWebhookEndpointSecret: {
    resourceType: 'webhook_endpoint',
    run: doTo(endpoint.id, 'POST', '/v1/webhook-endpoints/*/rotate-secret'),
  },
  testWebhookEndpoint: {
    resourceType: 'webhook_endpoint',
    run: doTo(endpoint.id, 'POST', '/v1/webhook-endpoints/*/test'),
  },
  replayWebhookDelivery: {
    resourceType: 'webhook_delivery',
    run: doTo(deliveries.body.items[0].id, 'POST', '/v1/webhook-deliveries/*/replay'),
  },
  replayWebhookEndpoint: {
    resourceType: 'webhook_replay',
    run: make(`/v1/webhook-endpoints/${endpoint.id}/replay`, { since: '2026-01-01' }, ({ body }) => body.id),
  },
  stopWebhookReplay: {
    resourceType: 'webhook_replay',
    async run() {
      const { id } = (await newEndpoint()).body.endpoint
      const replay = await ask('POST', `/v1/webhook-endpoints/${id}/replay`, { since: '2026-01-01' })
      return doTo(replay.body.id, 'POST', '/v1/webhook-replays/*/stop')()
    },
  },
  deleteWebhookEndpoint: {
    resourceType: 'webhook_endpoint',
    async run() {
      return doTo((await newEndpoint()).body.endpoint.id, 'DELETE', '/v1/webhook-endpoints/*')()
    },
  },
}

test('every operation that writes has its row; bytes that are put by a signed URL count once they are completed', () => {
  const writing = OPERATIONS.filter(({ auth, method }) => auth === 'key' && method !== 'GET')
  assert.deepEqual(writing.map(({ name }) => name).sort(), Object.keys(WRITES).sort())
})

test('every write is recorded once, with its time, tenant, application, key, resource, address, program and request', async () => {
  for (const [operation, { resourceType, run }] of Object.entries(WRITES)) {
    const [answer, resourceId] = await run()
    assert.deepEqual(
      await auditOf(answer.headers.get('x-request-id')),
      [
        {
          tenantId: tenant.tenantId,
          appId: tenant.appId,
          keyId: key?.id,
          operation,
          resourceType,
          resourceId,
          clientAddress: '127.0.0.1',
          userAgent: 'Shop/1.0 (test)',
          now: true,
        },
      ],
      operation,
    )
  }
})

test('what is read, refused or replayed is not recorded', async () => {
  const body = { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' }
  const headers = { 'idempotency-key': newId() }
  assert.equal(
    (await auditOf((await ask('POST', '/v1/messages', body, headers)).headers.get('x-request-id'))).length,
    1,
  )
  const replay = await ask('POST', '/v1/messages', body, headers)
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  const refused = await call(url, 'POST', '/v1/messages', { key: tenant.key, body: {}, headers })
  const absent = await call(url, 'PATCH', `/v1/messages/${newId()}`, {
    key: tenant.key,
    body: { mailboxId, isRead: true },
  })
  assert.deepEqual([refused.status, absent.status], [400, 404])
  for (const answer of [replay, refused, absent, await ask('GET', '/v1/messages')]) {
    assert.deepEqual(await auditOf(answer.headers.get('x-request-id')), [])
  }
})

test('of the name of a program as much is kept as identifies it', async () => {
  const body = { mailboxId, isStarred: true }
  for (const [given, kept] of [
    ['x'.repeat(512), 'x'.repeat(512)],
    ['x'.repeat(513), 'x'.repeat(512)],
  ] as const) {
    const answer = await ask('PATCH', `/v1/messages/${sent.id}`, body, { 'user-agent': given })
    const [record] = await auditOf(answer.headers.get('x-request-id'))
    assert.equal(record?.userAgent, kept)
  }
})

// Commands.

const other = await createTestTenant(database)
const replayable = (await newEndpoint()).body.endpoint
const held = (await ask('POST', '/v1/messages', { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' })).body
const waiting = (await ask('POST', '/v1/messages', { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' }))
  .body
const purged = (await ask('POST', '/v1/messages', { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' })).body
await database.pool.query(
  `update message_states s set status = 'failed', open = 0, recipients = replace(s.recipients::text, 'queued', 'failed')::json,
     failed_environment_id = m.environment_id, failed_created_at = m.created_at, failed_seq = m.seq
   from messages m where m.id = s.message_id and m.id = any ($1)`,
  [[held.id, purged.id]],
)
await database.pool.query('delete from jobs where subject_id = any ($1)', [[held.id, purged.id]])
await database.pool.query(
  `insert into dead_letters (tenant_id, id, queue, lane, subject_id, reason, receptions)
  values ($1, 9001, 'outbound', $1, $2, 'receptions_exhausted', 6)`,
  [tenant.tenantId, sent.id],
)
const domain = `a${newId().replaceAll('-', '')}.test`
const stopped = join(dataDir, 'stopped.txt')
await writeFile(stopped, 'b@example.test')
const T = tenant.tenantId
const O = other.tenantId

/** Each command that changes something, in an order that works, and what its record says; the id from its result unless given. */
const COMMANDS: [command: string, args: string[], tenantId: string | null, resourceType: string, id?: string | null][] =
  [
    ['objects repair', [], null, 'objects', null],
    ['secret-key rotate', [], null, 'secret_key', null],
    ['erase', ['--address', 'nobody@erased.test', '--yes'], null, 'address', null],
    ['plan create', ['audited', '--key-per-minute', '5'], null, 'plan:audited', null],
    ['plan set', ['audited', '--key-per-minute', '7'], null, 'plan:audited', null],
    ['domain add', ['--tenant', T, '--domain', domain, '--verified'], T, 'domain'],
    ['mailbox create', ['--tenant', T, '--address', `x@${domain}`, '--name', 'X'], T, 'mailbox'],
    ['mailbox suspend', [mailboxId], T, 'mailbox', mailboxId],
    ['mailbox resume', [mailboxId], T, 'mailbox', mailboxId],
    ['mailbox update', [mailboxId, '--name', 'New'], T, 'mailbox', mailboxId],
    ['tenant create', ['--name', 'Another'], '', 'tenant'],
    ['tenant rename', [O, '--name', 'Renamed'], O, 'tenant', O],
    ['tenant suspend', [O], O, 'tenant', O],
    ['tenant resume', [O], O, 'tenant', O],
    ['app create', ['--tenant', O, '--name', 'Box', '--environment', 'sandbox'], O, 'app'],
    ['app suspend', [other.appId], O, 'app', other.appId],
    ['app resume', [other.appId], O, 'app', other.appId],
    ['key create', ['--app', other.appId, '--scope', 'messages:read'], O, 'key'],
    ['message retry', [waiting.id], T, 'message', waiting.id],
    ['message cancel', [waiting.id], T, 'message', waiting.id],
    ['message hold', [held.id], T, 'message', held.id],
    ['message release', [held.id], T, 'message', held.id],
    ['message purge', [purged.id], T, 'message', purged.id],
    ['message delete', [held.id], T, 'message', held.id],
    ['suppression add', ['a@example.test', '--tenant', T], T, 'suppression'],
    ['suppression remove', ['a@example.test', '--tenant', T], T, 'suppression'],
    ['suppression import', [stopped, '--tenant', T], T, 'suppression', null],
    ['endpoint disable', [endpoint.id], T, 'webhook_endpoint', endpoint.id],
    ['endpoint enable', [endpoint.id], T, 'webhook_endpoint', endpoint.id],
    ['endpoint rotate-secret', [endpoint.id], T, 'webhook_endpoint', endpoint.id],
    ['endpoint replay', [replayable.id, '--since', '2026-01-01'], T, 'webhook_replay'],
    ['app replay', [tenant.appId, '--since', '2026-01-01'], T, 'webhook_replay'],
    ['dead-letters replay', ['9001'], T, 'outbound', sent.id],
    ['events renew', [], null, 'feed', null],
    ['activity rebuild', ['--tenant', T], T, 'activity', T],
  ]
/** They need what a command before them made. */
const COMMANDS_ON_RESULTS = ['domain check', 'domain rotate-dkim', 'domain remove', 'key revoke', 'events trigger']
/** They need somebody who has signed in, or a provider: cli-people.test.ts and sso-commands.test.ts look at their records. */
const COMMANDS_ON_USERS = [
  ...['invite', 'remove', 'reset', 'set-role'].map((verb) => `person ${verb}`),
  ...['add', 'invite', 'set-access', 'remove', 'reset'].map((verb) => `mailbox user ${verb}`),
  ...['session end', 'sso set', 'sso remove'],
]
/** They want an embedded database; backup.test.ts looks at their records. */
const COMMANDS_ON_FOLDERS = ['backup', 'restore']
/** They change nothing of a tenant's. */
const READING = [
  ...[
    'plan',
    'tenant',
    'domain',
    'mailbox',
    'app',
    'key',
    'message',
    'endpoint',
    'events',
    'dead-letters',
    'request',
    'audit',
  ].flatMap((noun) => [`${noun} list`, `${noun} show`]),
  ...[
    'doctor',
    'listen',
    'objects check',
    'person list',
    'mailbox user list',
    'session list',
    'sso show',
    'suppression list',
    'backup list',
    'backup verify',
  ],
]
const RUNNING = ['dev', 'serve', 'migrate']

test('every command has its row', () => {
  const leaves = (command: Command, path: string[] = []): string[] =>
    command.commands.length === 0
      ? [path.join(' ')]
      : [
          // Some do something of their own beside those below them.
          ...(COMMANDS_ON_FOLDERS.includes(path.join(' ')) ? [path.join(' ')] : []),
          ...command.commands.flatMap((each) => leaves(each, [...path, each.name()])),
        ]
  const program = buildProgram({ env: {}, json: true, jsonErrors: true, status: 0 }, () => {})
  const changing = [
    ...COMMANDS.map(([command]) => command),
    ...COMMANDS_ON_RESULTS,
    ...COMMANDS_ON_USERS,
    ...COMMANDS_ON_FOLDERS,
  ]
  const known = [...changing, ...READING, ...RUNNING]
  assert.deepEqual(leaves(program).sort(), known.sort())
})

test('every command that changes something is recorded once, as an operator’s, with the account that ran it', async () => {
  const results = new Map<string, string>()
  const run = async (
    command: string,
    args: string[],
    tenantId: string | null,
    resourceType: string,
    id?: string | null,
  ) => {
    const before = await recorded()
    const result = await mdkHere(env, ...command.split(' '), ...args)
    results.set(command, result.id)
    const resourceId = id === undefined ? result.id : id
    const { rows } = await database.pool.query(
      `select tenant_id as "tenantId", operation, resource_type as "resourceType", resource_id as "resourceId",
        account, num_nulls(app_id, key_id, client_address, user_agent, request_id) as nulls
      from audit_log where id <> all ($1)`,
      [before],
    )
    const { username: account } = userInfo()
    const record = { operation: command.replace(' ', '.'), resourceType, resourceId, account, nulls: 5 }
    assert.deepEqual(rows, [{ tenantId: tenantId === '' ? resourceId : tenantId, ...record }], command)
  }
  for (const row of COMMANDS) await run(...row)
  const id = (command: string) => results.get(command) as string
  await run('domain check', [id('domain add')], T, 'domain', id('domain add'))
  await run('domain rotate-dkim', [id('domain add')], T, 'domain', id('domain add'))
  const spare = await mdkHere(env, 'domain', 'add', '--tenant', T, '--domain', `spare-${domain}`)
  await run('domain remove', [spare.id], T, 'domain', spare.id)
  await run('key revoke', [id('key create')], O, 'key', id('key create'))
  const about = newId()
  const data = JSON.stringify({ id: about })
  const trigger = ['--app', id('app create'), '--type', 'message.sent', '--data', data]
  await run('events trigger', trigger, O, 'message', about)
})

const recorded = async () => {
  const { rows } = await database.pool.query('select id from audit_log')
  return rows.map(({ id }) => id)
}

test('the log is listed newest first, of one tenant or of all, so many at most', async () => {
  const list = async (...args: string[]) => {
    const { items } = await mdkHere(env, 'audit', 'list', ...args)
    return items as Record<string, string | null>[]
  }
  const all = await list('--limit', '1000')
  assert.deepEqual(
    all.map(({ at }) => at),
    all.map(({ at }) => at).sort((a, b) => (a && b && a < b ? 1 : -1)),
  )
  const own = await list('--tenant', T, '--limit', '1000')
  assert.deepEqual(
    own,
    all.filter(({ tenantId }) => tenantId === T),
  )
  assert.deepEqual(await list('--tenant', T, '--limit', '3'), own.slice(0, 3))
  const byKey = own.find(({ operation }) => operation === 'updateMessage')
  assert.deepEqual([byKey?.by, byKey?.keyId, byKey?.appId], ['application', key?.id, tenant.appId])
  const byOperator = own.find(({ operation }) => operation === 'message.hold')
  assert.deepEqual([byOperator?.by, byOperator?.keyId, byOperator?.appId], ['operator', null, null])
  assert.deepEqual(Object.keys(byKey ?? {}), [
    'id',
    'at',
    'by',
    'tenantId',
    'appId',
    'keyId',
    'personId',
    'mailboxUserId',
    'account',
    'operation',
    'resourceType',
    'resourceId',
    'clientAddress',
    'userAgent',
    'requestId',
  ])
})

test('records are kept for a year', async () => {
  const { rows: ids } = await database.pool.query('select id from audit_log order by at desc limit 2')
  const age = (id: string, by: string) =>
    database.pool.query(
      `update audit_log set at = clock_timestamp() - interval '365 days' + ${by}::interval where id = $1`,
      [id],
    )
  await age(ids[0].id, `'1 minute'`)
  await age(ids[1].id, `'-1 minute'`)
  assert.equal(await sweepAudit(database, 100), 1)
  const { rows } = await database.pool.query('select id from audit_log where id = any ($1)', [ids.map(({ id }) => id)])
  assert.deepEqual(rows, [{ id: ids[0].id }])
})

test('who sent what outlives the message, and is forgotten after a year', async () => {
  const sends = async () =>
    (await listAudit(database, operatorOf(tenant.tenantId), 1_000)).filter(
      ({ operation }) => operation === 'sendMessage',
    )
  const mail = { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' }
  const ids: string[] = []
  for (let i = 0; i < 2; i++) ids.push((await ask('POST', '/v1/messages', mail)).body.id)
  await database.pool.query('delete from messages where id = any ($1)', [ids])
  const [second, first] = await sends()
  assert.deepEqual([first?.resourceId, second?.resourceId], ids)

  const age = (id: string | undefined, by: string) =>
    database.pool.query(
      `update events set occurred_at = clock_timestamp() - interval '365 days' + ${by}::interval where id = $1`,
      [id],
    )
  await age(first?.id, `'-1 minute'`)
  await age(second?.id, `'1 minute'`)
  assert.equal(await forgetSenders(database, AUDIT_KEPT_DAYS, 100), 1)
  assert.equal(await forgetSenders(database, AUDIT_KEPT_DAYS, 100), 0)
  const left = (await sends()).map(({ id }) => id)
  assert(!left.includes(first?.id as Uuid) && left.includes(second?.id as Uuid))
  const { rows } = await database.pool.query(
    `select type, num_nonnulls(app_id, key_id, request_id, client_address, user_agent) as known from events where id = $1`,
    [first?.id],
  )
  assert.deepEqual(rows, [{ type: 'message.queued', known: 0 }])
})
