// Only `migrate`, `serve` and `dev` bring a database to this version's schema: every other command refuses one of another,
// and leaves it as it is.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newId } from '../../src/lib/uuid.ts'
import { createTestDatabase } from '../support/database.ts'
import { mdk, mdkHere, mdkInside } from '../support/mdk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const { database, url } = await createTestDatabase()
const dataDir = await temporaryFolder('mdk-schema-')
after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

const COMMANDS = [
  'plan list',
  'plan set free --key-per-minute 1',
  'tenant create --name X',
  'audit list',
  'dead-letters list',
  'events renew',
  'objects check',
  `message purge ${newId()}`,
  `listen --app ${newId()} --forward http://127.0.0.1:1/`,
].map((line) => line.split(' '))

/** That every command ends with one line of such words, and prints nothing. */
async function assertRefused(env: Record<string, string>, words: RegExp): Promise<void> {
  for (const command of COMMANDS) {
    const { status, stdout, stderr } = await mdkInside(env, ...command)
    assert.deepEqual([status, stdout], [1, ''], command.join(' '))
    assert.match(stderr, /^[^\n]+\n$/)
    assert.match(JSON.parse(stderr).message, words)
  }
}

/** What a database consists of, and what it was made of. */
async function contents(): Promise<unknown> {
  const { rows } = await database.pool.query(`
    select (select count(*) from pg_class where relnamespace = 'public'::regnamespace) as relations,
      (select array_agg(xmin::text || p.name order by p.name) from plans p) as plans,
      (select array_agg(version order by version) from schema_migrations) as migrations,
      (select array_agg(file || checksum order by file) from schema_functions) as functions,
      (select count(*) from audit_log) as records, (select xmin::text from feed_epoch) as epoch`)
  return rows
}

test('on an empty database every command but those that migrate says so and makes nothing', async () => {
  const name = `empty_${newId().replaceAll('-', '')}`
  await database.pool.query(`create database ${name}`)
  after(() => database.pool.query(`drop database if exists ${name} with (force)`).catch(() => {}))
  const target = new URL(url)
  target.pathname = `/${name}`
  const env = { MDK_DATABASE_URL: target.href, MDK_DATA_DIR: dataDir }
  await assertRefused(env, /\d+ files of its schema are not applied\): run "mdk migrate"$/)
  const examined = await mdkInside({ ...env, MDK_DNS_SERVERS: '127.0.0.1:1' }, 'doctor', '--deep')
  assert.equal(examined.status, 1, 'what was not checked is not said to hold')
  const { result } = examined.json.checks.find((check: { name: string }) => check.name === 'invariants')
  assert.equal(result, 'fail')
  assert((await mdkHere(env, 'migrate')).applied.length > 20, 'nothing was there')
  assert.equal((await mdkHere(env, 'plan', 'list')).items.length, 4)
})

test('on a database of an earlier or a later version every command says so and changes nothing', async () => {
  const env = { MDK_DATABASE_URL: url, MDK_DATA_DIR: dataDir }
  await mdkHere(env, 'plan', 'list')
  await database.pool.query(`update schema_functions set checksum = 'earlier' where file = 'lib/uuid-at.sql'`)
  let before = await contents()
  await assertRefused(env, /1 file of its schema is not applied\): run "mdk migrate"$/)
  assert.deepEqual(await contents(), before)
  assert.deepEqual((await mdkHere(env, 'migrate')).applied, ['lib/uuid-at.sql'])
  await mdkHere(env, 'plan', 'list')

  await database.pool.query(
    `insert into schema_migrations (version, name, checksum) values (9999, '9999_later.sql', 'later')`,
  )
  before = await contents()
  await assertRefused(env, /9999_later\.sql.*newer version of mdk/)
  assert.deepEqual(await contents(), before)
})

test('without an embedded database a command makes none, and after `migrate` it may be the first to start it', async () => {
  const folder = join(dataDir, 'none')
  const env = { MDK_DATA_DIR: folder }
  await assertRefused(env, new RegExp(`no database in ${folder}: run "mdk migrate"`))
  assert(!existsSync(folder))

  const migrated = await mdk(env, 'migrate')
  assert.equal(migrated.status, 0, migrated.stderr)
  assert(!existsSync(join(folder, 'postgres/postmaster.pid')), 'nothing runs')
  const created = await mdk(env, 'tenant', 'create', '--name', 'First')
  assert.equal(created.status, 0, created.stderr)
  const both = await Promise.all([mdk(env, 'tenant', 'list'), mdk(env, 'audit', 'list')])
  for (const { status, json, stderr } of both) {
    assert.equal(status, 0, stderr)
    assert.equal(json.items.length, 1)
  }
  assert(!existsSync(join(folder, 'postgres/postmaster.pid')), 'nothing stays behind')
})
