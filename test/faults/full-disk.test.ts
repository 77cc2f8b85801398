// Disks without room: what cannot be kept is not taken, what was taken stays, and work goes on when there is room.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { type Database, isUnavailable, sql } from '../../src/lib/sql.ts'
import { call } from '../support/api.ts'
import { handIn } from '../support/inbound.ts'
import { startService } from '../support/service.ts'
import { insideDataFolder, prepareService } from '../support/service-under-fault.ts'
import { mountSmallDisk, skipWithoutRoot } from '../support/small-disk.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { allSent, checkStory, RECOVERS_WITHIN_MS, sendSteadily, taken } from '../support/steady-sends.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { assertWhole } from '../support/whole.ts'

const skip = skipWithoutRoot()
/** PostgreSQL, Appendix A. */
const DISK_FULL = '53100'

test('an embedded PostgreSQL without room for data, and then for its log, loses nothing', { skip }, async () => {
  const disk = await mountSmallDisk(400)
  const dataDir = join(disk.folder, 'data')
  const sink = await startSmtpSink()
  after(sink.stop)
  const tenant = await insideDataFolder(dataDir, (database) => createTestTenant(database))
  const service = await startService({
    MDK_DATA_DIR: dataDir,
    MDK_RELAY_URL: sink.url,
    MDK_RETURN_PATH_DOMAIN: 'bounce.test',
    MDK_OUTBOUND_BACKOFF: '200ms..1s',
  })
  // Before the senders lose patience, so that the test ends where it stands.
  const logged = (what: RegExp) =>
    until(`it is reported: ${what}`, () => service.logs.some(({ msg }) => what.test(msg)), RECOVERS_WITHIN_MS / 2)
  const sends = sendSteadily(() => service.url, tenant, 1_500)
  await taken(sends, 200)
  disk.fill()
  await until('sends are refused', () => (sends.others.get(503) ?? 0) > 100, RECOVERS_WITHIN_MS)
  assert.equal((await fetch(`${service.opsUrl}/readyz`)).status, 503)
  disk.free()
  await taken(sends, sends.taken.length + 200)

  const crashed = insideDataFolder(dataDir, async (database) => {
    // Or checkpoints would make files free for use again as fast as a busy machine begins new ones.
    await database.rows(sql`alter system set wal_keep_size = '10GB'`)
    await database.rows(sql`select pg_reload_conf()`)
    disk.fill()
    await turnOverLog(database)
  })
  await assert.rejects(crashed, isUnavailable)
  await logged(/went away/)
  // It has no room to recover in, unless its recovery leaves it some.
  await logged(/does not start.*No space left on device|is back/)
  disk.free()
  await logged(/is back/)
  await sends.done
  await insideDataFolder(dataDir, async (database) => {
    await allSent(database, tenant, sends.taken.length)
    assert.equal(await checkStory(database, tenant, sends.taken, sink.mails), 0)
    await assertWhole(database, await openFileStore(join(dataDir, 'objects')))
  })
  assert.equal(await service.stop(), 0)
})

test('an object store without room puts mail off in both directions, and files too', { skip }, async () => {
  const disk = await mountSmallDisk(8)
  const { database, sink, env } = await prepareService()
  const tenant = await createTestTenant(database)
  const service = await startService({ ...env, MDK_OBJECT_STORE: `file:${disk.folder}/objects` })
  const mailIn = (n: number) =>
    handIn(
      service.smtpPort,
      'someone@example.test',
      [tenant.address],
      `Subject: ${n}\r\n\r\n${'text\r\n'.repeat(10_000)}`,
    )
  const file = { mailboxId: tenant.mailboxId, filename: 'a.txt', mediaType: 'text/plain', contentBase64: 'aGVsbG8=' }
  const upload = () =>
    call(service.url, 'POST', '/v1/attachments', {
      key: tenant.key,
      body: file,
      headers: { 'idempotency-key': 'one upload' },
    })

  disk.fill()
  const sends = sendSteadily(() => service.url, tenant, 100)
  await sends.done
  assert.deepEqual(sends.others, new Map(), 'what is taken needs the database alone')
  assert.match((await mailIn(1)).last, /^451 4\.3\.0/)
  assert.equal((await upload()).status, 503)
  assert.equal(sink.mails.length, 0)
  disk.free()
  await allSent(database, tenant, 100)
  assert.equal(await checkStory(database, tenant, sends.taken, sink.mails), 0)
  assert.match((await mailIn(1)).last, /^250/)
  assert.equal((await upload()).status, 201)
  assert.equal(await service.stop(), 0)
  await assertWhole(database, await openFileStore(join(disk.folder, 'objects')))
})

/** Has the server begin file after file of its log, as hours of work would, until it has no room for one and dies. */
async function turnOverLog(database: Database): Promise<void> {
  for (let file = 0; file < 100; file++) {
    await database
      .rows(sql`select pg_logical_emit_message(false, 'test', 'x')::text, pg_switch_wal()::text`)
      .catch((error: { code?: string }) => {
        // What is refused for want of room has not killed it.
        if (error.code !== DISK_FULL) throw error
      })
  }
}
