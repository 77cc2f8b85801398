// Migrations: each once, in order, and never what the database has not agreed to.
import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MigrationError, migrate, pendingMigrations, readMigrations } from '../../src/lib/migrate.ts'
import { openDatabase, sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase, MIGRATIONS } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { database: admin, url } = await createTestDatabase()

async function emptyDatabase() {
  const name = `migrate_${newId().replaceAll('-', '')}`
  await admin.pool.query(`create database ${name}`)
  const target = new URL(url)
  target.pathname = `/${name}`
  const database = openDatabase({ url: target.href, connections: 2 })
  after(async () => {
    await database.end()
    await admin.pool.query(`drop database if exists ${name} with (force)`).catch(() => {})
  })
  return { database, url: target.href }
}

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await temporaryFolder('mdk-migrations-')
  after(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

test('files are applied in order, once', async () => {
  const { database } = await emptyDatabase()
  const folder = await folderOf({ '0001_a.sql': 'create table a (n int)', '0002_b.sql': 'insert into a values (1)' })
  assert.deepEqual(await pendingMigrations(database, folder), ['0001_a.sql', '0002_b.sql'])
  assert.deepEqual(await migrate(database, folder), ['0001_a.sql', '0002_b.sql'])
  assert.deepEqual(await migrate(database, folder), [])
  assert.deepEqual(await pendingMigrations(database, folder), [])
  await writeFile(join(folder, '0003_c.sql'), 'insert into a values (2)')
  assert.deepEqual(await migrate(database, folder), ['0003_c.sql'])
  assert.deepEqual(await database.rows(sql`select n from a order by n`), [{ n: 1 }, { n: 2 }])
})

test('many processes at once apply each file once', async () => {
  const { database, url: target } = await emptyDatabase()
  const folder = await folderOf({ '0001_a.sql': 'create table a (n int); insert into a values (1)' })
  const applied = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const own = openDatabase({ url: target, connections: 1 })
      return migrate(own, folder).finally(() => own.end())
    }),
  )
  assert.deepEqual(applied.flat(), ['0001_a.sql'])
  assert.deepEqual(await database.rows(sql`select n from a`), [{ n: 1 }])
})

test('a file that fails leaves nothing of itself, and is named', async () => {
  const { database } = await emptyDatabase()
  const folder = await folderOf({
    '0001_a.sql': 'create table a (n int)',
    '0002_b.sql': 'create table b (n int); oops',
  })
  await assert.rejects(migrate(database, folder), /0002_b.sql failed: syntax error/)
  assert.deepEqual(await pendingMigrations(database, folder), ['0002_b.sql'])
  await assert.rejects(database.rows(sql`select n from b`))
})

test('an applied file that was changed, and a database newer than the code, are refused', async () => {
  const { database } = await emptyDatabase()
  const folder = await folderOf({ '0001_a.sql': 'create table a (n int)', '0002_b.sql': 'create table b (n int)' })
  await migrate(database, folder)
  await rm(join(folder, '0002_b.sql'))
  await assert.rejects(migrate(database, folder), /migrated by a newer version/)
  await writeFile(join(folder, '0002_b.sql'), 'create table c (n int)')
  await assert.rejects(migrate(database, folder), (error) => {
    assert(error instanceof MigrationError)
    assert.match(error.message, /0002_b.sql is not the file that was applied/)
    return true
  })
})

test('files that are misnamed or leave a gap are refused', async () => {
  const { database } = await emptyDatabase()
  for (const name of ['0002_a.sql', '1_a.sql', '0001_A.sql']) {
    await assert.rejects(migrate(database, await folderOf({ [name]: '' })), /numbered 0001/)
  }
})

test('what was stored before stored bytes were counted is counted', async () => {
  const { database } = await emptyDatabase()
  const all = await readMigrations(MIGRATIONS)
  const early = all.filter(({ version }) => version <= 5).map(({ name, text }) => [name, text])
  await migrate(database, await folderOf(Object.fromEntries(early)))
  const tenants = [newId(), newId()]
  await database.rows(sql`
    insert into attachments (tenant_id, id, environment_id, mailbox_id, filename, media_type, size_bytes, sha256,
      disposition, object_key, created_at)
    select t, gen_random_uuid(), t, t, 'a.txt', 'text/plain', n, sha256(''), 'attachment', 'key', clock_timestamp()
    from unnest(${tenants}::uuid[]) as t cross join unnest(array[10, 20]) as n`)
  await migrate(database, MIGRATIONS)
  const stored = await database.rows(sql<{ tenant_id: string; stored_bytes: number }>`
    select tenant_id, stored_bytes from tenant_storage order by tenant_id`)
  assert.deepEqual(
    stored,
    tenants.map((tenant_id) => ({ tenant_id, stored_bytes: 30 })),
  )
})
