// The audit log as the console shows it: who did what, by names that outlast them; that each filter finds what it is for, page by
// page, beside any number of sends; and that sends are among them when they are asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Person } from '../../src/access/actor.ts'
import { createKey } from '../../src/apps/create-key.ts'
import { listKeys } from '../../src/apps/list-keys.ts'
import { revokeKey } from '../../src/apps/revoke-key.ts'
import { AUDITED_OPERATIONS, operationInWords } from '../../src/audit/operations.ts'
import { pageAudit } from '../../src/audit/page-audit.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { removePerson } from '../../src/people/remove-person.ts'
import { send, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { keyHasher } from '../support/hash-turns.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestPerson, originOf, type TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { createTestTenant, type TestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase()
const api = await startTestApi(database)
const site = await startTestSite('console', database)

const personAt = ({ tenantId }: TestTenant, { id }: TestUser, environmentId = tenantId): Person => ({
  ...{
    kind: 'person',
    personId: id,
    role: 'owner',
    signedInRecently: true,
    tenantId,
    environmentId,
    origin: originOf(7),
  },
})

async function shown({ session }: TestUser, query = '') {
  const answer = await site.ask('GET', `/data/audit${query}`, { session })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { items: Record<string, string | null>[]; nextCursor: string | null }
}

test('who revoked a key is known by name, also when they are gone; and where the key is', async () => {
  const tenant = await createTestTenant(database)
  const owner = await createTestPerson(database, tenant.tenantId, 'owner')
  const other = await createTestPerson(database, tenant.tenantId, 'owner')
  const { appId } = tenant
  const actor = personAt(tenant, other)
  const made = await createKey({ database, keyHasher }, actor, { appId, scopes: ['messages:read'], name: 'Warehouse' })
  await revokeKey(database, actor, made.id)
  await removePerson(database, operatorOf(tenant.tenantId), other.id)
  const { items } = await shown(owner, '?operation=key.revoke')
  assert.equal(items.length, 1)
  const { id: _id, at: _at, requestId: _requestId, ...act } = items[0] ?? {}
  assert.deepEqual(act, {
    ...{ by: 'person', actorName: other.login, personId: other.id, mailboxUserId: null, account: null, appId: null },
    ...{ appName: null, keyId: null, keyName: null, keyStart: null, operation: 'key.revoke', words: 'revoked a key' },
    ...{
      resourceType: 'key',
      resourceId: made.id,
      resourceName: 'Warehouse',
      resourceAppId: appId,
      resourceEnvironment: null,
      details: null,
    },
    ...{ clientAddress: '192.0.2.7', userAgent: 'tests' },
  })
  const ofKey = (await shown(owner, `?resource=${made.id}`)).items
  assert.deepEqual(
    ofKey.map(({ operation }) => operation),
    ['key.revoke', 'key.create'],
  )
  assert.equal((await shown(owner, `?person=${other.id}&by=person`)).items.length >= 2, true)
  const stranger = await createTestTenant(database)
  const strange = await createTestPerson(database, stranger.tenantId, 'owner')
  assert.deepEqual((await shown(strange, `?resource=${made.id}`)).items, [])
})

test('sends are among them when they are asked for, with all that was done to one thing, and are found by their key', async () => {
  const tenant = await createTestTenant(database)
  const owner = await createTestPerson(database, tenant.tenantId, 'owner')
  const [key] = await listKeys(database, operatorOf(tenant.tenantId), tenant.appId)
  const mail = { fromMailboxId: tenant.mailboxId, to: ['ada@example.test'], text: 'x' }
  const ids: Uuid[] = []
  for (let i = 0; i < 3; i++) ids.unshift((await send(api.url, tenant.key, mail)).body.id)
  const sendsIn = async (query: string) =>
    (await shown(owner, query)).items
      .filter(({ operation }) => operation === 'sendMessage')
      .map(({ resourceId }) => resourceId)
  assert.deepEqual(await sendsIn(''), [])
  for (const query of ['?sends=true', '?operation=sendMessage', `?key=${key?.id}&sends=true`]) {
    assert.deepEqual(await sendsIn(query), ids, query)
  }
  assert.deepEqual(await sendsIn(`?resource=${ids[1]}`), [ids[1]])
  assert.deepEqual(await sendsIn('?sends=true&by=person'), [])
  const [sent] = (await shown(owner, '?operation=sendMessage')).items
  assert.deepEqual([sent?.by, sent?.appName, sent?.keyId], ['application', 'Example', key?.id])
})

test('following the cursor gives each record once, with and without sends, however few a page looks through', async () => {
  const tenant = await createTestTenant(database)
  const owner = await createTestPerson(database, tenant.tenantId, 'owner')
  await database.pool.query(
    `insert into audit_log (tenant_id, id, at, app_id, key_id, account, operation, resource_type)
     select $1, gen_random_uuid(), '2026-01-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 second',
       case when n % 5 > 0 then $1::uuid end, case when n % 5 > 0 then $1::uuid end, case when n % 5 = 0 then 'root' end,
       case when n % 7 = 0 then 'key.revoke' else 'updateMessage' end, 'message'
     from generate_series(1, 100) n`,
    [tenant.tenantId],
  )
  for (const [filters, count] of [
    [{ until: '2026-02-01' }, 100],
    [{ until: '2026-02-01', sends: true }, 100],
    [{ until: '2026-02-01', by: 'application' }, 80],
    [{ until: '2026-02-01', by: 'operator' }, 20],
    [{ until: '2026-02-01', operation: 'key.revoke' }, 14],
    [{ since: '2026-01-01T00:00:10Z', until: '2026-01-01T00:00:20Z' }, 30],
    [{ until: '2026-02-01', keyId: newId() }, 0],
  ] as const) {
    for (const mostWalked of [7, 5_000]) {
      const ids: Uuid[] = []
      let cursor: string | undefined
      do {
        const page = await pageAudit(
          database,
          personAt(tenant, owner),
          { ...filters, limit: 6, ...(cursor && { cursor }) },
          mostWalked,
        )
        ids.push(...page.items.map(({ id }) => id))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      assert.deepEqual([ids.length, new Set(ids).size], [count, count], `${JSON.stringify(filters)} by ${mostWalked}`)
    }
  }
  for (const query of [
    '?since=yesterday',
    '?cursor=x',
    '?cursor=2026-01-01_x',
    '?by=nobody',
    '?resource=x',
    '?nonsense=1',
  ]) {
    assert.equal((await site.ask('GET', `/data/audit${query}`, { session: owner.session })).status, 400, query)
  }
})

test('every operation has words of its own, in plain English, which the page offers', async () => {
  const tenant = await createTestTenant(database)
  const admin = await createTestPerson(database, tenant.tenantId, 'admin')
  const words = AUDITED_OPERATIONS.map(operationInWords)
  assert.equal(new Set(words).size, words.length)
  for (const one of words) assert.match(one, /^[a-z](?:[a-z ,:’-]|\bDKIM\b)+$|^\w.* API$/, one)
  const answer = await site.ask('GET', '/data/audit/operations', { session: admin.session })
  assert.deepEqual(
    answer.body.items.map(({ operation }: { operation: string }) => operation),
    AUDITED_OPERATIONS,
  )
  assert.equal(operationInWords('no.longer'), 'no.longer')
})
