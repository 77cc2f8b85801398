// Requests that were refused: what is kept of them, of whom, for how long and how many; that keeping them holds nobody up; and
// how they are found.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RefusedRequest } from '../../src/access/refused-request.ts'
import { createApp } from '../../src/apps/create-app.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { listKeys } from '../../src/apps/list-keys.ts'
import { revokeKey } from '../../src/apps/revoke-key.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { keepRefusedRequests } from '../../src/requests/keep-refused-requests.ts'
import { sweepRefusedRequests, writeRefusedRequests } from '../../src/requests/write-refused-requests.ts'
import { call, send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { mdkHere } from '../support/mdk.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const api = await startTestApi(database)
const site = await startTestSite('console', database, {
  config: { http: { host: '127.0.0.1', port: 0, publicUrl: api.url } },
})

async function makePlace(): Promise<{ tenant: TestTenant; owner: TestUser; keyId: Uuid }> {
  const tenant = await createTestTenant(database)
  const owner = await createTestPerson(database, tenant.tenantId, 'owner')
  const [key] = await listKeys(database, operatorOf(tenant.tenantId), tenant.appId)
  return { tenant, owner, keyId: key?.id as Uuid }
}

const shown = ({ session }: TestUser, path: string) => site.ask('GET', path, { session })

/** What is kept of a tenant's, once there are so many, newest first. */
const kept = (tenantId: Uuid, count: number) =>
  until(`${count} requests are kept`, async () => {
    const rows = await database.rows(sql<RefusedRequest>`
      select request_id as "requestId", environment_id as "environmentId", method, route, path, status, code,
        key_id as "keyId", app_id as "appId", client_address as "clientAddress", user_agent as "userAgent",
        duration_ms as "durationMs"
      from refused_requests where tenant_id = ${tenantId} order by request_id desc`)
    return rows.length >= count && rows
  })

const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') as Uuid

describe('a request that is refused', () => {
  test('leaves when, which, why, whose key and from where, and nothing of what was in it', async () => {
    const { tenant, owner, keyId } = await makePlace()
    const secret = 'ada.lovelace@example.com'
    const refused = await call(api.url, 'POST', `/v1/messages?recipient=${secret}`, {
      key: tenant.key,
      body: { to: [secret], subject: secret },
      headers: { 'idempotency-key': newId(), 'user-agent': 'Shop/1.0 (test)' },
    })
    assert.equal(refused.status, 400)
    const absent = await call(api.url, 'GET', `/v1/messages/${newId()}`, { key: tenant.key })
    assert.equal(absent.status, 404)
    const accepted = await send(api.url, tenant.key, { fromMailboxId: tenant.mailboxId, to: [secret], text: 'x' })
    assert.equal(accepted.status, 202)
    const [second, first, ...others] = await kept(tenant.tenantId, 2)
    assert.deepEqual(others, [])
    const { durationMs = -1, ...rest } = first ?? {}
    assert(durationMs >= 0 && durationMs < 60_000)
    assert.deepEqual(rest, {
      ...{ requestId: idOf(refused), environmentId: tenant.tenantId, method: 'POST', route: '/v1/messages' },
      ...{ path: '/v1/messages', status: 400, code: 'validation_error', keyId, appId: tenant.appId },
      ...{ clientAddress: '127.0.0.1', userAgent: 'Shop/1.0 (test)' },
    })
    assert.deepEqual([second?.route, second?.code], ['/v1/messages/{messageId}', 'not_found'])
    const { rows } = await database.pool.query('select r::text as text from refused_requests r where tenant_id = $1', [
      tenant.tenantId,
    ])
    for (const { text } of rows) assert(!text.includes(secret) && !text.includes(tenant.key.slice(9)))

    const { request, explanation } = (await shown(owner, `/data/requests/${idOf(refused)}`)).body
    assert.deepEqual([request.code, request.appName, request.keyId], ['validation_error', 'Example', keyId])
    assert.equal(explanation.page, `${api.url}/docs/errors/validation_error`)
    assert.match(explanation.toDo, /^Correct every field that is named, then ask again\. .* The reference has/)
  })

  test('is kept whoever’s it is by its key: a revoked one too, an unknown one and no key never, nor a path that nobody has', async () => {
    const { tenant } = await makePlace()
    const actor = operatorOf(tenant.tenantId)
    const { appId } = tenant
    const { id: keyId, key } = await createKey({ database, keyHasher }, actor, { appId, scopes: ['messages:read'] })
    const scoped = await call(api.url, 'GET', '/v1/mailboxes', { key })
    assert.equal(scoped.status, 403)
    await revokeKey(database, actor, keyId)
    const revoked = await until('the key is no good', async () => {
      const answer = await call(api.url, 'GET', '/v1/messages', { key })
      return answer.status === 401 && answer
    })
    const before = await database.first(sql<{ count: number }>`select count(*)::integer as count from refused_requests`)
    const wrongSecret = `${key.slice(0, -10)}0000000000`
    for (const bad of [wrongSecret, 'mdk_live_nonsense', undefined]) {
      const answer = await call(api.url, 'GET', '/v1/messages', bad === undefined ? {} : { key: bad })
      assert.equal(answer.status, 401)
    }
    assert.equal((await call(api.url, 'GET', '/v1/no-such-path', { key: tenant.key })).status, 404)
    const last = await call(api.url, 'GET', '/v1/messages?limit=none', { key: tenant.key })
    const rows = await kept(tenant.tenantId, 3)
    assert.deepEqual(
      rows.map(({ requestId, code, keyId: by }) => [requestId, code, by === keyId]),
      [
        [idOf(last), 'validation_error', false],
        [idOf(revoked), 'invalid_api_key', true],
        [idOf(scoped), 'insufficient_scope', true],
      ],
    )
    const after = await database.first(sql<{ count: number }>`select count(*)::integer as count from refused_requests`)
    assert.equal((after?.count ?? 0) - (before?.count ?? 0), 1)
  })

  test('is found by its id, and by what it has in common with others, in its own environment alone', async () => {
    const { tenant, owner, keyId } = await makePlace()
    const stranger = await makePlace()
    const actor = operatorOf(tenant.tenantId)
    const sandbox = await createApp(database, actor, { name: 'Box', environment: 'sandbox' })
    const boxed = await createKey({ database, keyHasher }, actor, { appId: sandbox.id, scopes: ['messages:read'] })
    const request = (more: Partial<RefusedRequest>): RefusedRequest => ({
      ...{ tenantId: tenant.tenantId, environmentId: tenant.tenantId, requestId: newId(), appId: tenant.appId, keyId },
      ...{ at: '2026-01-02T00:00:00Z', method: 'GET', route: '/v1/messages', path: '/v1/messages', status: 400 },
      ...{ code: 'validation_error', clientAddress: '192.0.2.1', userAgent: null, durationMs: 1, ...more },
    })
    const old = request({ at: '2026-01-01T00:00:00Z', code: 'not_found', status: 404, path: '/v1/messages/nothing' })
    const plain = request({})
    const failed = request({ status: 503, code: 'service_unavailable' })
    const inBox = request({ environmentId: sandbox.id, appId: sandbox.id, keyId: boxed.id })
    await writeRefusedRequests(database, [old, plain, failed, inBox])

    const idsOf = async (query: string, by = owner) => {
      const answer = await shown(by, `/data/requests${query}`)
      assert.equal(answer.status, 200, answer.text)
      return answer.body.items.map(({ requestId }: { requestId: Uuid }) => requestId)
    }
    const [a, b, c] = [failed.requestId, plain.requestId, old.requestId]
    for (const [query, ids] of [
      ['', [a, b, c]],
      ['?status=4xx', [b, c]],
      ['?status=5xx', [a]],
      ['?status=404', [c]],
      ['?code=validation_error', [b]],
      [`?key=${keyId}`, [a, b, c]],
      [`?key=${boxed.id}`, []],
      [`?app=${tenant.appId}&status=503`, [a]],
      ['?path=NOTHING', [c]],
      ['?since=2026-01-02', [a, b]],
      ['?until=2026-01-02', [c]],
      [`?requestId=${b}`, [b]],
      [`?requestId=${String(b).toUpperCase()}`, [b]],
      [`?requestId=${newId()}`, []],
      [`?cursor=${b}`, [c]],
      [`?environment=sandbox:${sandbox.id}`, [inBox.requestId]],
    ] as const) {
      assert.deepEqual(await idsOf(query), ids, query)
    }
    assert.deepEqual(await idsOf(`?requestId=${a}`, stranger.owner), [])
    assert.equal((await shown(stranger.owner, `/data/requests/${a}`)).status, 404)
    assert.equal((await shown(owner, `/data/requests/${inBox.requestId}`)).status, 404)
    assert.equal(
      (await shown(owner, `/data/requests/${inBox.requestId}?environment=sandbox:${sandbox.id}`)).status,
      200,
    )
    for (const query of ['?status=200', '?status=6xx', '?since=yesterday', '?cursor=x', '?key=x', '?nonsense=1']) {
      assert.equal((await shown(owner, `/data/requests${query}`)).status, 400, query)
    }
    const csv = (await shown(owner, '/data/exports/requests.csv?status=4xx')).text.split('\r\n')
    assert.deepEqual(
      csv.slice(1, -1).map((line) => line.split(',')[0]),
      [b, c],
    )

    const env = { MDK_DATABASE_URL: databaseUrl }
    const list = await mdkHere(env, 'request', 'list', '--tenant', tenant.tenantId, '--status', '5xx')
    assert.deepEqual(
      list.items.map(({ requestId }: { requestId: Uuid }) => requestId),
      [a],
    )
    assert.equal((await mdkHere(env, 'request', 'show', inBox.requestId)).keyId, boxed.id)
  })
})

describe('keeping them', () => {
  const requestOf = (tenant: TestTenant, keyId: Uuid, code = 'validation_error'): RefusedRequest => ({
    ...{ tenantId: tenant.tenantId, environmentId: tenant.tenantId, requestId: newId(), appId: tenant.appId, keyId },
    ...{ at: new Date().toISOString(), method: 'GET', route: '/v1/messages', path: '/v1/messages', status: 400, code },
    ...{ clientAddress: '192.0.2.1', userAgent: null, durationMs: 1 },
  })
  const countOf = async (tenantId: Uuid) => {
    const { rows } = await database.pool.query(
      'select count(*)::integer as count from refused_requests where tenant_id = $1',
      [tenantId],
    )
    return rows[0].count as number
  }

  test('a flood leaves so many rows of a key for a reason and of a tenant, and counts the rest', async () => {
    const { tenant, keyId } = await makePlace()
    const other = await makePlace()
    const lost = new Map<string, number>()
    const keeper = keepRefusedRequests(database, (reason, count) => lost.set(reason, (lost.get(reason) ?? 0) + count))
    // All within one minute of the clock, or else there would be more.
    await until('a minute has begun', () => Date.now() % 60_000 < 50_000)
    for (let i = 0; i < 1_000; i++) keeper.keep(requestOf(tenant, keyId))
    for (let i = 0; i < 10; i++) for (let key = 0; key < 60; key++) keeper.keep(requestOf(tenant, newId()))
    keeper.keep(requestOf(other.tenant, other.keyId))
    await keeper.stop()
    assert.equal(await countOf(tenant.tenantId), 300)
    assert.equal(await countOf(other.tenant.tenantId), 1)
    const { rows } = await database.pool.query(
      'select count(*)::integer as count from refused_requests where tenant_id = $1 and key_id = $2',
      [tenant.tenantId, keyId],
    )
    assert.equal(rows[0].count, 60)
    assert.deepEqual([...lost], [['too_many', 1_300]])
  })

  test('two processes keep the newest of a tenant, and no more than the bound, whoever wrote them', async () => {
    const { tenant, keyId } = await makePlace()
    const oldest = Array.from({ length: 500 }, () => requestOf(tenant, keyId))
    await writeRefusedRequests(database, oldest)
    const newer = Array.from({ length: 40 }, (_, n) => requestOf(tenant, keyId, `code_${n % 4}`))
    const keepers = [0, 1].map(() => keepRefusedRequests(database, () => assert.fail(), 100))
    for (const [i, request] of newer.entries()) keepers[i % 2]?.keep(request)
    await Promise.all(keepers.map((keeper) => keeper.stop()))
    await until('what is too much has gone', async () => (await countOf(tenant.tenantId)) <= 140)
    const ids = (await kept(tenant.tenantId, 100)).map(({ requestId }) => requestId)
    assert.deepEqual(
      newer.map(({ requestId }) => requestId).filter((id) => !ids.includes(id)),
      [],
    )
    assert.equal(ids.includes(oldest[0]?.requestId as Uuid), false)
  })

  test('a database that is away costs the rows and nothing else, and those that come after it are kept', async () => {
    const { tenant, keyId } = await makePlace()
    let isAway = true
    const lost: [string, number][] = []
    const flaky: Pick<Database, 'rows' | 'first'> = {
      rows: (statement) =>
        isAway ? Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })) : database.rows(statement),
      first: database.first,
    }
    const keeper = keepRefusedRequests(flaky, (reason, count) => lost.push([reason, count]))
    for (let i = 0; i < 3; i++) keeper.keep(requestOf(tenant, keyId))
    await until('they are lost', () => lost.length === 3)
    assert.deepEqual(lost, Array(3).fill(['database', 1]))
    isAway = false
    keeper.keep(requestOf(tenant, keyId))
    await keeper.stop()
    assert.equal(await countOf(tenant.tenantId), 1)
  })

  test('the stop of a process writes what waits', async () => {
    const { tenant } = await makePlace()
    const another = await startTestApi(database)
    await Promise.all(
      Array.from({ length: 20 }, () => call(another.url, 'GET', '/v1/messages?limit=0', { key: tenant.key })),
    )
    await another.stop()
    assert.equal(await countOf(tenant.tenantId), 20)
  })

  test('for seven days', async () => {
    const { tenant, keyId } = await makePlace()
    const [gone, stays] = [requestOf(tenant, keyId), requestOf(tenant, keyId)]
    await writeRefusedRequests(database, [gone, stays])
    for (const [{ requestId }, by] of [
      [gone, '-1 minute'],
      [stays, '1 minute'],
    ] as const) {
      await database.pool.query(
        `update refused_requests set at = clock_timestamp() - interval '7 days' + $1::interval where request_id = $2`,
        [by, requestId],
      )
    }
    while ((await sweepRefusedRequests(database, 2)) > 0);
    const left = await kept(tenant.tenantId, 1)
    assert.deepEqual(
      left.map(({ requestId }) => requestId),
      [stays.requestId],
    )
  })
})
