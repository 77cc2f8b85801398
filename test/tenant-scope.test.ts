// That the look-out for statements that forget the tenant (support/tenant-scope.ts) sees each way to forget it, and lets
// pass what binds it. Every test that starts an API is watched by it.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from '../src/lib/sql.ts'
import { createTestDatabase } from './support/database.ts'
import { assertTenantScope, recordStatements, scopeFaults } from './support/tenant-scope.ts'

const { database } = await createTestDatabase()
const client = await database.connect('tenant scope')
after(() => client.end())

describe('what binds the tenant passes', () => {
  for (const statement of [
    'select id from messages where tenant_id = $1 and id = $2',
    'select id from messages where tenant_id = any ($1::uuid[])',
    'select name from tenants where id = $1',
    'select name from plans where name = $1',
    `select h.position from messages m join message_attachments h on h.tenant_id = m.tenant_id and h.message_id = m.id
     where m.tenant_id = $1`,
    `select m.id from messages m left join message_contents b on b.tenant_id = m.tenant_id and b.message_id = m.id
     where m.tenant_id = $1`,
    `select m.id from messages m where m.tenant_id = $1 and not exists (
       select from message_entries e where e.tenant_id = m.tenant_id and e.message_id = m.id)`,
    'select m.id from messages m join unnest($1::uuid[], $2::uuid[]) as n (tenant_id, id) using (tenant_id, id)',
    'update messages set held = true where tenant_id = $1 and id = $2',
    'delete from messages where (tenant_id, id) in (select tenant_id, id from uploads where tenant_id = $1)',
    'insert into tenant_storage (tenant_id, stored_bytes) values ($1, $2)',
    `with gone as (delete from uploads where tenant_id = $1 returning tenant_id, size_bytes)
     insert into tenant_storage (tenant_id, stored_bytes) select tenant_id, size_bytes from gone`,
  ]) {
    test(statement, async () => assert.deepEqual(await scopeFaults(client, [statement]), []))
  }
})

describe('what forgets the tenant is found', () => {
  for (const [table, statement] of [
    ['messages', 'select id from messages where id = $1'],
    ['messages', 'select id from messages where tenant_id = $1 or id = $2'],
    ['messages', 'select id from messages where tenant_id <> $1'],
    ['messages', 'select id from messages where tenant_id = id'],
    ['tenants', 'select id from tenants where name = $1'],
    [
      'message_attachments',
      `select h.position from messages m join message_attachments h on h.message_id = m.id where m.tenant_id = $1`,
    ],
    [
      'messages',
      `select m.id from messages m left join message_contents b
       on b.tenant_id = $1 and b.tenant_id = m.tenant_id and b.message_id = m.id`,
    ],
    [
      'message_entries',
      `select m.id from messages m where m.tenant_id = $1 and not exists (
         select from message_entries e where e.message_id = m.id)`,
    ],
    [
      'message_entries',
      `select (select count(*) from message_entries e where e.message_id = m.id) from messages m where m.tenant_id = $1`,
    ],
    ['messages', 'update messages set held = true where id = $1'],
    ['messages', 'delete from messages where id in (select id from uploads where tenant_id = $1)'],
    [
      'uploads',
      `with gone as (delete from uploads where id = $1 returning tenant_id, size_bytes)
       select s.stored_bytes from tenant_storage s join gone g on g.tenant_id = s.tenant_id`,
    ],
    [
      'tenant_storage (new rows)',
      'insert into tenant_storage (tenant_id, stored_bytes) select id, size_bytes from uploads where tenant_id = $1',
    ],
  ] as const) {
    test(statement, async () => {
      const faults = await scopeFaults(client, [statement])
      assert(faults[0]?.includes(table), `${table}: ${faults}`)
    })
  }
})

test('what goes through a watched database is looked at, in transactions too', async () => {
  const watched = recordStatements(database)
  await watched.database.rows(sql`select id from messages where tenant_id = ${null}`)
  await assertTenantScope(database, watched.statements)
  await watched.database.transaction((tx) => tx.first(sql`select id from uploads where id = ${null}`))
  await assert.rejects(assertTenantScope(database, watched.statements), /uploads not bound to a tenant in: select id/)
})
