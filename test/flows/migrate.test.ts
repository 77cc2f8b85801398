// Migrations: each once, in order, and never what the database has not agreed to. Functions and triggers: whenever their text
// has changed.
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { DATABASE_SCHEMA } from '../../src/database-schema.ts'
import { migrate, pendingMigrations } from '../../src/lib/migrate.ts'
import { MigrationError, type Schema } from '../../src/lib/schema-files.ts'
import { openDatabase, sql, type Tx } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

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

/** A schema of these files. Those with a number are migrations, the others functions. */
async function schemaOf(files: Record<string, string>): Promise<Schema> {
  const folder = await temporaryFolder('mdk-migrations-')
  after(() => rm(folder, { recursive: true, force: true }))
  const migrations = join(folder, 'migrations')
  await mkdir(migrations)
  const schema = { migrations, root: folder, functions: [] as string[], version: '1.9.0' }
  for (const [name, text] of Object.entries(files)) {
    const isMigration = /^\d/.test(name)
    await write(schema, isMigration ? join('migrations', name) : name, text)
    if (!isMigration) schema.functions.push(name)
  }
  return schema
}

async function write({ root }: Schema, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

const answering = (body: string, head = 'f() returns text') =>
  `create or replace function ${head} language sql as $$ select ${body} $$;`

test('migrations are applied in order, once', async () => {
  const { database } = await emptyDatabase()
  const schema = await schemaOf({ '0001_a.sql': 'create table a (n int)', '0002_b.sql': 'insert into a values (1)' })
  assert.deepEqual(await pendingMigrations(database, schema), ['0001_a.sql', '0002_b.sql'])
  assert.deepEqual(await migrate(database, schema), ['0001_a.sql', '0002_b.sql'])
  assert.deepEqual(await migrate(database, schema), [])
  assert.deepEqual(await pendingMigrations(database, schema), [])
  await write(schema, 'migrations/0003_c.sql', 'insert into a values (2)')
  assert.deepEqual(await migrate(database, schema), ['0003_c.sql'])
  assert.deepEqual(await database.rows(sql`select n from a order by n`), [{ n: 1 }, { n: 2 }])
})

test('many processes at once apply each file once', async () => {
  const { database, url: target } = await emptyDatabase()
  const schema = await schemaOf({ '0001_a.sql': 'create table a (n int); insert into a values (1)' })
  const applied = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const own = openDatabase({ url: target, connections: 1 })
      return migrate(own, schema).finally(() => own.end())
    }),
  )
  assert.deepEqual(applied.flat(), ['0001_a.sql'])
  assert.deepEqual(await database.rows(sql`select n from a`), [{ n: 1 }])
})

test('functions are applied after the migrations, in the order given, and again when their text has changed', async () => {
  const { database } = await emptyDatabase()
  const schema = await schemaOf({
    '0001_a.sql': "create table a (word text); insert into a values ('one')",
    'words/g.sql': answering('word from a', 'g() returns text'),
    'f.sql': answering('g()'),
  })
  assert.deepEqual(await pendingMigrations(database, schema), ['0001_a.sql', 'words/g.sql', 'f.sql'])
  assert.deepEqual(await migrate(database, schema), ['0001_a.sql', 'words/g.sql', 'f.sql'])
  assert.deepEqual(await database.rows(sql`select f() as word`), [{ word: 'one' }])
  assert.deepEqual(await migrate(database, schema), [])

  await write(schema, 'f.sql', answering(`'two'`))
  assert.deepEqual(await pendingMigrations(database, schema), ['f.sql'])
  assert.deepEqual(await migrate(database, schema), ['f.sql'])
  assert.deepEqual(await pendingMigrations(database, schema), [])
  assert.deepEqual(await database.rows(sql`select f() as word`), [{ word: 'two' }])
})

test("whoever writes to a table holds up neither a start that changes nothing nor a change of its trigger's function", async () => {
  const { database } = await emptyDatabase()
  const returning = (word: string) =>
    `create or replace function f() returns trigger language plpgsql as $$ begin raise notice '${word}'; return null; end $$;`
  const schema = await schemaOf({
    '0001_a.sql': 'create table a (n int)',
    'f.sql': returning('one'),
    'triggers.sql': 'create or replace trigger t after insert on a for each statement execute function f();',
  })
  await migrate(database, schema)
  await database.transaction(async (tx) => {
    await tx.rows(sql`insert into a (n) values (1)`)
    assert.deepEqual(await migrate(database, schema), [])
    await write(schema, 'f.sql', returning('two'))
    assert.deepEqual(await migrate(database, schema), ['f.sql'])
  })
})

test('an upgrade that meets a deadlock with whoever writes is begun again, and both are done', async () => {
  const { database } = await emptyDatabase()
  const triggers = (when: string) =>
    ['a', 'middle', 'b']
      .map((t) => `create or replace trigger t ${when} on ${t} for each statement execute function f();`)
      .join('')
  const schema = await schemaOf({
    '0001_a.sql': 'create table a (n int); create table middle (n int); create table b (n int)',
    'f.sql': `create or replace function f() returns trigger language plpgsql as $$ begin return null; end $$;`,
    'triggers.sql': triggers('after insert'),
  })
  await migrate(database, schema)
  await write(schema, 'triggers.sql', triggers('after delete'))
  const isWaitedFor = (tx: Tx, table: string) =>
    until(`somebody waits for ${table}`, () =>
      tx.first(sql`select from pg_locks where relation = ${table}::regclass and not granted`),
    )
  let migrating: Promise<string[]> | undefined
  await database.transaction(async (writer) => {
    // Who closes the circle looks for one: the upgrade.
    await writer.rows(sql`set local deadlock_timeout = '1h'`)
    await writer.rows(sql`insert into b (n) values (1)`)
    let inserted: Promise<unknown> | undefined
    await database.transaction(async (holder) => {
      await holder.rows(sql`insert into middle (n) values (1)`)
      migrating = migrate(database, schema)
      await isWaitedFor(holder, 'middle')
      inserted = writer.rows(sql`insert into a (n) values (1)`)
      await isWaitedFor(holder, 'a')
    })
    await inserted
  })
  assert.deepEqual(await migrating, ['triggers.sql'])
  assert.deepEqual(await database.rows(sql`select a.n from a join b on b.n = a.n`), [{ n: 1 }])
})

test('a function that would get other arguments, or another result, is refused, and nothing is applied', async () => {
  const { database } = await emptyDatabase()
  const schema = await schemaOf({ '0001_a.sql': 'create table a (n int)', 'f.sql': answering(`'one'`) })
  await migrate(database, schema)
  await write(schema, 'migrations/0002_b.sql', 'create table b (n int)')
  for (const head of ['f(n int) returns text', 'f() returns varchar']) {
    await write(schema, 'f.sql', answering(`'two'`, head))
    await assert.rejects(migrate(database, schema), (error: Error) => {
      assert(error instanceof MigrationError)
      assert.match(error.message, /^f.* gets a new name/)
      return true
    })
    assert.deepEqual(await database.rows(sql`select f() as word`), [{ word: 'one' }])
    assert.deepEqual(await pendingMigrations(database, schema), ['0002_b.sql', 'f.sql'])
  }
})

test('a process of an earlier version leaves the functions of a later one in place', async () => {
  const { database } = await emptyDatabase()
  const earlier = await schemaOf({
    'f.sql': answering(`'earlier'`),
    'old.sql': answering(`'old'`, 'old() returns text'),
  })
  const later = { ...(await schemaOf({ 'f.sql': answering(`'later'`) })), version: '1.10.0' }
  assert.deepEqual(await migrate(database, earlier), ['f.sql', 'old.sql'])
  assert.deepEqual(await migrate(database, later), ['f.sql'])
  assert.deepEqual(await pendingMigrations(database, earlier), [])
  assert.deepEqual(await migrate(database, earlier), [])
  assert.deepEqual(await database.rows(sql`select f() as f, old() as old`), [{ f: 'later', old: 'old' }])
})

test('an upgrade of which a file fails leaves nothing of itself, and the file is named', async () => {
  const { database } = await emptyDatabase()
  const schema = await schemaOf({
    '0001_a.sql': 'create table a (n int)',
    '0002_b.sql': 'create table b (n int); oops',
  })
  await assert.rejects(migrate(database, schema), /0002_b.sql failed: syntax error/)
  assert.deepEqual(await pendingMigrations(database, schema), ['0001_a.sql', '0002_b.sql'])
  await assert.rejects(database.rows(sql`select n from a`))
})

test('an applied migration that was changed, and a database newer than the code, are refused', async () => {
  const { database } = await emptyDatabase()
  const schema = await schemaOf({ '0001_a.sql': 'create table a (n int)', '0002_b.sql': 'create table b (n int)' })
  await migrate(database, schema)
  await rm(join(schema.migrations, '0002_b.sql'))
  await assert.rejects(migrate(database, schema), /migrated by a newer version/)
  await write(schema, 'migrations/0002_b.sql', 'create table c (n int)')
  await assert.rejects(migrate(database, schema), (error) => {
    assert(error instanceof MigrationError)
    assert.match(error.message, /0002_b.sql is not the file that was applied/)
    return true
  })
})

test('a database from before version 0.1.0 is refused in words that say what to do, and left as it is', async () => {
  const { database } = await emptyDatabase()
  const before = await schemaOf({
    '0001_tenants.sql': 'create table tenants (n int)',
    '0002_mailboxes.sql': 'create table mailboxes (n int)',
    '0003_queue.sql': 'create table jobs (n int)',
    '0004_messages.sql': 'create table messages (n int)',
    '0005_content.sql': 'create table message_bodies (n int)',
  })
  await migrate(database, before)
  for (const ask of [migrate, pendingMigrations]) {
    await assert.rejects(ask(database, DATABASE_SCHEMA), (error) => {
      assert(error instanceof MigrationError)
      assert.match(error.message, /^the database has 0005_content.sql, .* made before version 0.1.0.* empty database/)
      return true
    })
  }
  assert.deepEqual(await pendingMigrations(database, before), [])
})

test('migrations that are misnamed or leave a gap are refused', async () => {
  const { database } = await emptyDatabase()
  for (const name of ['0002_a.sql', '1_a.sql', '0001_A.sql']) {
    await assert.rejects(migrate(database, await schemaOf({ [name]: '' })), /numbered 0001/)
  }
})
