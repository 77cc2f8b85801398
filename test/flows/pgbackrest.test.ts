// A PostgreSQL of one's own, backed up by pgBackRest, with objects and keys beside it: what is restored of the three belongs
// together, and is told when it does not.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import pino from 'pino'
import { programOf, skipWithout } from '../../scripts/install-test-packages.ts'
import { openServiceDatabase } from '../../src/database.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { newId } from '../../src/lib/uuid.ts'
import { openSecretKeys } from '../../src/secret-keys.ts'
import { call, startTestApi } from '../support/api.ts'
import { prepareBackups } from '../support/backup.ts'
import { launchDebianPostgres, postgresUser } from '../support/debian-postgres.ts'
import { mdkHere, mdkInside } from '../support/mdk.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { createTestTenant } from '../support/tenant.ts'

const skip = skipWithout('postgresql', 'pgbackrest')

test('a database of pgBackRest and the objects and keys beside it are restored to one whole', { skip }, async () => {
  const { uid, gid } = await postgresUser()
  const repository = await temporaryFolder('mdk-pgbackrest-')
  after(() => rm(repository, { recursive: true, force: true }))
  for (const name of ['', 'log', 'lock', 'spool']) {
    await mkdir(join(repository, name), { recursive: true })
    await chown(join(repository, name), uid, gid)
  }
  const config = join(repository, 'pgbackrest.conf')
  const pgbackrest = (...args: string[]) =>
    promisify(execFile)(programOf('pgbackrest'), [`--config=${config}`, '--stanza=mdk', ...args], {
      uid,
      gid,
      cwd: repository,
    })
  const first = await launchDebianPostgres({
    archive_mode: 'on',
    archive_command: `pgbackrest --config=${config} --stanza=mdk archive-push %p`,
  })
  await writeFile(
    config,
    `[global]
repo1-path=${repository}
log-path=${join(repository, 'log')}
lock-path=${join(repository, 'lock')}
spool-path=${join(repository, 'spool')}
log-level-console=warn
start-fast=y
[mdk]
pg1-path=${join(first.folder, 'data')}
pg1-socket-path=${first.folder}
pg1-user=postgres
`,
    { mode: 0o644 },
  )
  const ground = await prepareBackups({ MDK_DATABASE_URL: first.url })
  const { dataDir, place, env } = ground
  const databaseConfig = { databaseUrl: first.url, dataDir }
  const opened = await openServiceDatabase({ config: databaseConfig, log: pino({ level: 'silent' }), hold: 'service' })
  const { database } = opened
  await openSecretKeys({ dataDir, secretKeys: undefined }, database)
  const tenant = await createTestTenant(database)
  const api = await startTestApi(database, { store: await openFileStore(join(dataDir, 'objects')) })
  const upload = async (text: string) => {
    const body = { mailboxId: tenant.mailboxId, filename: 'a', mediaType: 'text/plain', contentBase64: btoa(text) }
    const headers = { 'idempotency-key': newId() }
    assert.equal((await call(api.url, 'POST', '/v1/attachments', { key: tenant.key, body, headers })).status, 201)
  }
  await upload('one')
  await upload('two')

  const refused = await mdkInside(env, 'backup', '--to', place)
  assert.equal(refused.status, 2)
  assert.match(refused.stderr, /Back yours up by pgBackRest, and objects and keys with --without-database/)
  await pgbackrest('stanza-create')
  await pgbackrest('--type=full', 'backup')
  const made = await mdkHere(env, 'backup', '--to', place, '--without-database')
  assert.deepEqual([made.databaseBytes, made.objects], [null, 2])
  assert.deepEqual((await mdkHere(env, 'backup', 'verify', '--from', place)).faults, [])
  // Accepted after the objects were copied: the log of the database has it, and no backup its bytes.
  await upload('late')
  await database.pool.query('select pg_switch_wal()')
  await pgbackrest('check')
  await api.stop()
  await opened.close()
  await first.stop()

  const restoreDatabase = async (...args: string[]) => {
    const restored = await launchDebianPostgres({}, undefined, async (data) => {
      await pgbackrest(`--pg1-path=${data}`, ...args, 'restore')
    })
    after(restored.stop)
    return restored
  }
  const whole = await restoreDatabase('--type=immediate', '--target-action=promote')
  const other = await ground.another()
  const there = { ...other.env, MDK_DATABASE_URL: whole.url }
  const restored = await mdkHere(there, 'restore', '--from', place, '--without-database')
  assert.deepEqual([restored.id, restored.restored, restored.missing], [made.id, 2, 0])
  assert.equal((await mdkHere(there, 'objects', 'check')).agrees, true)
  const { checks } = (await mdkInside(there, 'doctor', '--deep')).json
  const results = (checks as { name: string; result: string }[]).filter(({ name }) =>
    /^(secret keys|every|the feed)/.test(name),
  )
  assert(results.length > 5)
  assert.deepEqual(
    results.filter(({ result }) => result !== 'ok'),
    [],
  )
  await whole.stop()

  const end = await restoreDatabase()
  const later = await ground.another()
  const short = await mdkInside(
    { ...later.env, MDK_DATABASE_URL: end.url },
    'restore',
    '--from',
    place,
    '--without-database',
  )
  assert.equal(short.status, 1, short.stderr)
  assert.deepEqual([short.json.restored, short.json.missing], [2, 1])
  await end.stop()
})
