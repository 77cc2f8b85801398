// A backup that is made while the service works, and what is restored of it: all that was taken before, whole, and mail doubled
// no more than the operator's guide says.
import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SCOPES } from '../../src/access/permissions.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { call, send } from '../support/api.ts'
import { prepareBackups } from '../support/backup.ts'
import { mdkHere, mdkInside } from '../support/mdk.ts'
import { startService } from '../support/service.ts'
import { insideDataFolder } from '../support/service-under-fault.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { allSent, sendSteadily, taken } from '../support/steady-sends.ts'
import { createTestTenant } from '../support/tenant.ts'
import { assertWhole } from '../support/whole.ts'

const MESSAGES = 80

test('what was taken before a backup began is in it, whole, with the keys that open it', async () => {
  const sink = await startSmtpSink()
  after(() => sink.stop())
  const ground = await prepareBackups({
    MDK_RELAY_URL: sink.url,
    MDK_RETURN_PATH_DOMAIN: 'bounce.test',
    MDK_OUTBOUND_BACKOFF: '200ms..1s',
    MDK_LEASE: '10s',
  })
  const { dataDir, place, env } = ground
  const tenant = await insideDataFolder(dataDir, (database) => createTestTenant(database, { scopes: SCOPES }))
  const service = await startService(env)
  const first = await send(
    service.url,
    tenant.key,
    { fromMailboxId: tenant.mailboxId, to: ['a@example.test'], subject: 'first', text: 'x' },
    'the first',
  )
  assert.equal(first.status, 202)
  const sends = sendSteadily(() => service.url, tenant, MESSAGES)
  await taken(sends, MESSAGES / 2)
  const before = [...sends.taken]
  const made = await mdkHere(env, 'backup', '--to', place)
  assert(made.objects > 0)
  await sends.done
  // Each object lies there once.
  const again = await mdkHere(env, 'backup', '--to', place)
  assert(again.objects >= made.objects && again.objectsAdded <= again.objects - made.objects, JSON.stringify(again))
  const { items } = await mdkHere(env, 'backup', 'list', '--from', place)
  assert.deepEqual(
    items.map(({ id }: { id: string }) => id),
    [made.id, again.id],
  )
  const verified = await mdkHere(env, 'backup', 'verify', made.id, '--from', place)
  assert.deepEqual([verified.whole, verified.faults], [true, []])
  await insideDataFolder(dataDir, (database) => allSent(database, tenant, MESSAGES + 1))
  await service.stop()
  const sentBefore = sink.mails.length

  const other = await ground.another()
  const restored = await mdkHere(other.env, 'restore', '--from', place, '--backup', made.id, '--to-backup')
  assert.deepEqual([restored.id, restored.missing, restored.missingLog], [made.id, 0, null])
  assert.equal(
    await readFile(join(other.dataDir, 'secret-keys'), 'utf8'),
    await readFile(join(dataDir, 'secret-keys'), 'utf8'),
  )
  const open = await insideDataFolder(other.dataDir, async (database) => {
    const { rows } = await database.pool.query(`
      select m.id, s.status <> 'sent' as open from messages m join message_states s on s.message_id = m.id`)
    const ids = new Set(rows.map(({ id }) => id))
    assert.deepEqual(
      before.filter((id) => !ids.has(id)),
      [],
      'every 202 before the backup is there',
    )
    return rows.filter((row) => row.open).map(({ id }) => id as string)
  })

  const anew = await startService(other.env)
  // The idempotency key is remembered as well.
  const repeated = await send(
    anew.url,
    tenant.key,
    { fromMailboxId: tenant.mailboxId, to: ['a@example.test'], subject: 'first', text: 'x' },
    'the first',
  )
  assert.deepEqual([repeated.status, repeated.body.id], [202, first.body.id])
  const known = await insideDataFolder(other.dataDir, async (database) => {
    const [{ n }] = (await database.pool.query('select count(*)::integer as n from messages')).rows
    await allSent(database, tenant, n)
    await assertWhole(database, await openFileStore(join(other.dataDir, 'objects')))
    const acts = `select operation, details ->> 'id' as id from audit_log where operation like 'backup.%' and account is not null
      order by at`
    assert.deepEqual((await database.pool.query(acts)).rows, [
      { operation: 'backup.make', id: made.id },
      { operation: 'backup.restore', id: made.id },
    ])
    return n as number
  })
  assert(known >= before.length + 1 && known <= MESSAGES + 1)
  const doubled = sink.mails
    .slice(sentBefore)
    .map((mail) => /^Message-ID: <([0-9a-f-]{36})@/im.exec(String(mail.bytes))?.[1])
  assert.deepEqual(new Set(doubled), new Set(open), 'what was on its way when the backup ended goes once more')
  assert.equal(doubled.length, open.length)
  const raw = await call(anew.url, 'GET', `/v1/messages/${first.body.id}/raw`, { key: tenant.key })
  assert.equal(raw.status, 200)
  await anew.stop()
})

test('a restore refuses what is there, and what does not belong together', async () => {
  const ground = await prepareBackups()
  const { place, env, dataDir } = ground
  await insideDataFolder(dataDir, (database) => createTestTenant(database))
  // As the service makes them at its first start.
  const refusedBefore = await mdkInside(env, 'backup', '--to', place)
  assert.equal(refusedBefore.status, 0, refusedBefore.stderr)

  const full = await mdkInside(env, 'restore', '--from', place)
  assert.equal(full.status, 1)
  assert.match(full.stderr, /is not empty: name an empty folder in MDK_DATA_DIR/)

  const other = await ground.another()
  const otherKeys = { ...other.env, MDK_SECRET_KEYS: `1:${Buffer.alloc(32, 9).toString('base64')}` }
  const stranger = await mdkInside(otherKeys, 'restore', '--from', place)
  assert.equal(stranger.status, 2, stranger.stderr)
  assert.match(stranger.stderr, /this database needs key version 1 with the fingerprint/)
  // It did not end: nothing begins anew there, and the right keys end it.
  const begun = await mdkInside(other.env, 'migrate')
  assert.match(begun.stderr, /a restore into .* has not ended: run \\"mdk restore\\" again/)
  await mdkHere(other.env, 'restore', '--from', place)
  await mdkHere(other.env, 'tenant', 'list')

  const elsewhere = await mdkInside((await ground.another()).env, 'restore', '--from', `${place}/wal`)
  assert.match(elsewhere.stderr, /there are no backups: mdk-backup.json is not there/)
  const early = await mdkInside(
    (await ground.another()).env,
    'restore',
    '--from',
    place,
    '--to-time',
    '2020-01-01T00:00:00Z',
  )
  assert.match(early.stderr, /no whole backup ended before 2020-01-01T00:00:00.000000Z/)
  const strange = await prepareBackups()
  await insideDataFolder(strange.dataDir, async () => {})
  const mixed = await mdkInside(strange.env, 'backup', '--to', place)
  assert.match(mixed.stderr, /the backups there are of another database/)
  await rm(strange.dataDir, { recursive: true })
})
