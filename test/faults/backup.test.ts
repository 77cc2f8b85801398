// What breaks while a backup is made, kept or restored: nothing looks whole that is not, and whoever asks is told what is wrong.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createSecretKey } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pino from 'pino'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { backUp } from '../../src/backup/back-up.ts'
import { backupIds } from '../../src/backup/manifest.ts'
import { makeVault, openVault } from '../../src/backup/vault.ts'
import { verifyBackup } from '../../src/backup/verify-backup.ts'
import { openServiceDatabase } from '../../src/database.ts'
import { type BackupPlace, openBackupPlace } from '../../src/lib/backup-place.ts'
import { findCluster } from '../../src/lib/embedded-postgres/cluster.ts'
import { readServerPid } from '../../src/lib/embedded-postgres/pid-file.ts'
import { removeLater, sweepRemovals } from '../../src/lib/object-removals.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { type ObjectKey, objectKey } from '../../src/lib/object-store.ts'
import { loadOrCreateSecretKeys } from '../../src/lib/secret-key-file.ts'
import { newId } from '../../src/lib/uuid.ts'
import { call, startTestApi } from '../support/api.ts'
import { filesBelow, PASSPHRASE, prepareBackups } from '../support/backup.ts'
import { MDK, mdkHere, mdkInside } from '../support/mdk.ts'
import { operator } from '../support/operator.ts'
import { startS3 } from '../support/s3.ts'
import { mountSmallDisk, skipWithoutRoot } from '../support/small-disk.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

const ground = await prepareBackups()
const { dataDir, env } = ground
const log = pino({ level: 'silent' })
const { database, close } = await openServiceDatabase({
  config: { databaseUrl: undefined, dataDir },
  log,
  hold: 'service',
})
after(close)
const secretKeys = await loadOrCreateSecretKeys(join(dataDir, 'secret-keys'))
const store = await openFileStore(join(dataDir, 'objects'))
const tenant = await createTestTenant(database)
const { url } = await startTestApi(database, { store })
const upload = async (text: string): Promise<ObjectKey> => {
  const body = { mailboxId: tenant.mailboxId, filename: 'a', mediaType: 'text/plain', contentBase64: btoa(text) }
  const answer = await call(url, 'POST', '/v1/attachments', {
    key: tenant.key,
    body,
    headers: { 'idempotency-key': newId() },
  })
  assert.equal(answer.status, 201)
  return objectKey('attachments', tenant.tenantId, answer.body.attachment.id)
}
await upload('one')

/** A folder as a place, in which `onPut` is asked before each file. */
async function watchedPlace(folder: string, onPut: (name: string) => Promise<void> | void): Promise<BackupPlace> {
  const place = await openBackupPlace(folder)
  return {
    ...place,
    async put(name, source) {
      await onPut(name)
      await place.put(name, source)
    },
  }
}

async function run(place: BackupPlace) {
  const vault = await makeVault(place, createSecretKey(Buffer.from(PASSPHRASE)), database)
  const made = backUp({ database, store, vault, secretKeys, operator, dataDir, onProgress: () => {} })
  return { vault, made }
}

/** Whether a name is of the database's copy. */
const isPart = (name: string) => name.includes('/cluster/')

test('a backup that is cut off at any step shows nowhere, and the next one is whole and has removed it', async () => {
  const folder = `${ground.place}-cut`
  const steps: string[] = []
  const first = await run(await watchedPlace(folder, (name) => void steps.push(name)))
  const whole = (await first.made).manifest.id
  assert.equal(steps.at(-1), `backups/${whole}/manifest`)
  // The object and the segment are there by now; whatever is put each time is cut off once.
  const again = steps.filter((name) => name.startsWith('backups/') || name.startsWith('wal/'))
  assert(again.length >= 5, again.join())
  for (let cut = 1; cut <= again.length; cut++) {
    let puts = 0
    const broken = await watchedPlace(folder, () => {
      if (++puts === cut) throw new Error('cut off')
    })
    await assert.rejects((await run(broken)).made, /^Error: cut off$/)
    assert.deepEqual((await backupIds(first.vault)).whole, [whole], `step ${cut}`)
  }
  assert.equal((await backupIds(first.vault)).broken.length, 1, 'each removed what the one before had left')

  const killed = spawn(MDK, ['backup', '--to', folder], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: 'ignore',
  })
  const dead = once(killed, 'exit')
  // The database is being copied by then, and nothing is in its place yet.
  await until('it writes', async () => {
    const files = await filesBelow(join(folder, 'incoming'))
    const sizes = await Promise.all(
      files.map((file) =>
        readFile(file)
          .then((bytes) => bytes.length)
          .catch(() => 0),
      ),
    )
    return sizes.some((size) => size > 100_000)
  })
  killed.kill('SIGKILL')
  await dead
  assert.deepEqual((await backupIds(first.vault)).whole, [whole])
  const { id } = await mdkHere(env, 'backup', '--to', folder)
  assert.deepEqual(await backupIds(first.vault), { whole: [whole, id], broken: [] })
  assert.deepEqual(await filesBelow(join(folder, 'incoming')), [])
  assert.deepEqual((await verifyBackup(first.vault, id, () => {})).faults, [])
  await rm(folder, { recursive: true })
})

test('while a backup is made another is refused, and no object goes that it may name', async () => {
  const folder = `${ground.place}-two`
  const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const gated = await watchedPlace(folder, async (name) => {
    if (!isPart(name)) return
    begun.resolve()
    await go.promise
  })
  const due = await upload('due')
  const { made, vault } = await run(gated)
  await begun.promise
  const second = await mdkInside(env, 'backup', '--to', folder)
  assert.deepEqual(
    [second.status, JSON.parse(second.stderr).message],
    [1, 'another backup of this database is being made: wait until it has ended'],
  )
  await removeLater(database, [due], 0)
  assert.equal(await sweepRemovals(database, store, 100), 0)
  assert(await store.head(due))
  go.resolve()
  const { id } = (await made).manifest
  assert.equal(await sweepRemovals(database, store, 100), 1)
  assert.equal(await store.head(due), undefined)
  const verified = await verifyBackup(vault, id, () => {})
  assert.deepEqual([verified.objects, verified.faults], [2, []])
  await database.pool.query('delete from attachments where object_key = $1', [due])
  await rm(folder, { recursive: true })
})

test('a database that is stopped while it is copied ends the backup with words', async () => {
  const folder = `${ground.place}-stopped`
  const { folder: cluster } = (await findCluster(dataDir)) ?? assert.fail()
  const stopped = await watchedPlace(folder, async (name) => {
    if (!isPart(name)) return
    process.kill((await readServerPid(cluster)) as number, 'SIGQUIT')
    await until('it is back', () =>
      database.pool.query('select').then(
        () => true,
        () => false,
      ),
    )
  })
  const { made, vault } = await run(stopped)
  await assert.rejects(
    made,
    /the database was stopped while it was copied: this backup counts for nothing, make another/,
  )
  assert.deepEqual((await backupIds(vault)).whole, [])
  const next = await mdkHere(env, 'backup', '--to', folder)
  assert.deepEqual((await verifyBackup(vault, next.id, () => {})).faults, [])
  await rm(folder, { recursive: true })
})

test('one octet that was changed is found and named, and never restored; another passphrase opens nothing', async () => {
  const folder = `${ground.place}-damaged`
  const { id } = await mdkHere(env, 'backup', '--to', folder)
  const vault = await openVault(await openBackupPlace(folder), createSecretKey(Buffer.from(PASSPHRASE)))
  const files = (await filesBelow(folder)).filter((file) => !file.endsWith('mdk-backup.json'))
  assert(files.some((file) => file.includes('/objects/')) && files.some((file) => file.includes('/wal/')))
  for (const file of files) {
    const bytes = await readFile(file)
    const at = Math.floor(bytes.length / 2)
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    await writeFile(file, changed)
    const name = file.slice(folder.length + 1)
    assert.deepEqual((await verifyBackup(vault, id, () => {})).faults, [
      `${name} is damaged, or was sealed with another key`,
    ])
    if (isPart(name)) {
      assert.equal((await mdkInside(env, 'backup', 'verify', id, '--from', folder)).status, 1)
      const other = await ground.another()
      const refused = await mdkInside(other.env, 'restore', '--from', folder)
      assert.equal(JSON.parse(refused.stderr).message, `${name} is damaged, or was sealed with another key`)
      const after = await mdkInside(other.env, 'tenant', 'list')
      assert.equal(after.status, 1, 'nothing of it is taken for a database')
      // The same bytes again end the restore that was cut off.
      await writeFile(file, bytes)
      await mdkHere(other.env, 'restore', '--from', folder)
      assert.equal((await mdkHere(other.env, 'tenant', 'list')).items.length, 1)
    }
    await writeFile(file, bytes)
  }
  await writeFile(join(dataDir, 'other-key'), 'another passphrase of some length')
  const other = { ...env, MDK_BACKUP_KEY_FILE: join(dataDir, 'other-key') }
  for (const words of [
    ['verify', '--from', folder],
    ['--to', folder],
  ]) {
    const refused = await mdkInside(other, 'backup', ...words)
    assert.match(refused.stderr, /MDK_BACKUP_KEY_FILE holds another passphrase than these backups were made with/)
  }
  for (const [text, words] of [
    ['fifteen letters', /is shorter than 16 characters/],
    ['sixteen letters!', /holds another passphrase/],
  ] as const) {
    await writeFile(join(dataDir, 'other-key'), text)
    assert.match((await mdkInside(other, 'backup', 'list', '--from', folder)).stderr, words)
  }
  await rm(folder, { recursive: true })
})

test('a disk without room ends a backup with words, and the backups before it stay', {
  skip: skipWithoutRoot(),
}, async () => {
  const disk = await mountSmallDisk(24)
  const { id } = await mdkHere(env, 'backup', '--to', disk.folder)
  disk.fill()
  const full = await mdkInside(env, 'backup', '--to', disk.folder)
  assert.deepEqual(
    [full.status, JSON.parse(full.stderr).message],
    [1, 'the place of the backups: no space is left (ENOSPC)'],
  )
  disk.free()
  const { items } = await mdkHere(env, 'backup', 'list', '--from', disk.folder)
  assert.deepEqual(
    items.map((item: { id: string }) => item.id),
    [id],
  )
  assert.deepEqual((await mdkHere(env, 'backup', 'verify', '--from', disk.folder)).faults, [])
})

test('a bucket holds backups as a folder does, and one that is away is named', {
  skip: skipWithout('swift', 'swift-proxy', 'swift-account', 'swift-container', 'swift-object'),
}, async () => {
  const s3 = await startS3()
  const place = s3.urlOf('backups')
  const { id } = await mdkHere(env, 'backup', '--to', place)
  assert.deepEqual((await mdkHere(env, 'backup', 'verify', id, '--from', place)).faults, [])
  const other = await ground.another()
  const restored = await mdkHere(other.env, 'restore', '--from', place)
  assert.deepEqual([restored.restored, restored.missing], [1, 0])
  assert.equal(
    (await mdkHere(other.env, 'doctor')).checks.find(({ name }: { name: string }) => name === 'secret keys').result,
    'ok',
  )
  await s3.stop()
  const away = await mdkInside(env, 'backup', '--to', place)
  assert.equal(away.status, 1)
  assert.match(JSON.parse(away.stderr).message, /^the place of the backups: .*ECONNREFUSED/)
})
