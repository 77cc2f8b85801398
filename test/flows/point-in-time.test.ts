// The database restored to a moment between two backups: what was committed until then is there and nothing of what came later,
// with the objects that it names. Consumers, receivers, idempotency keys and mail go on as the operator's guide says.
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SCOPES } from '../../src/access/permissions.ts'
import { openFileStore } from '../../src/lib/object-store/file.ts'
import { call, send } from '../support/api.ts'
import { prepareBackups } from '../support/backup.ts'
import { mdkHere, mdkInside } from '../support/mdk.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { insideDataFolder } from '../support/service-under-fault.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'
import { assertWhole } from '../support/whole.ts'

test('a database goes back to a moment between backups, with its objects, and goes on from there', async () => {
  let relayDefers = false
  const sink = await startSmtpSink({ onMessage: () => (relayDefers ? '451 4.3.0 later' : undefined) })
  after(() => sink.stop())
  const answered = Promise.withResolvers<void>()
  let isHeld = false
  const receiver = await startReceiver({
    async answer(_, response) {
      if (isHeld) await answered.promise
      response.end()
    },
  })
  after(receiver.stop)
  const ground = await prepareBackups({
    MDK_RELAY_URL: sink.url,
    MDK_RETURN_PATH_DOMAIN: 'bounce.test',
    MDK_OUTBOUND_BACKOFF: '200ms..1s',
    MDK_LEASE: '20s',
    MDK_WEBHOOK_TIMEOUT: '10s',
    MDK_WEBHOOK_ALLOW: '127.0.0.0/8',
  })
  const { dataDir, place } = ground
  const env = { ...ground.env, MDK_BACKUP_TO: place }
  const tenant = await insideDataFolder(dataDir, (database) => createTestTenant(database, { scopes: SCOPES }))
  const inside = <T>(work: Parameters<typeof insideDataFolder<T>>[1]) => insideDataFolder(dataDir, work)
  const service = await startService(env)
  const ask = (url: string, path: string) => call(url, 'GET', path, { key: tenant.key })
  const post = async (url: string, name: string) => {
    const body = { fromMailboxId: tenant.mailboxId, to: ['a@example.test'], subject: name, text: name }
    const answer = await send(url, tenant.key, body, `key-of-${name}`)
    assert.equal(answer.status, 202)
    return answer.body.id as string
  }
  const isSent = (url: string, id: string) =>
    until('it is sent', async () => (await ask(url, `/v1/messages/${id}`)).body.message?.status === 'sent')
  const endpoint = await call(service.url, 'POST', '/v1/webhook-endpoints', {
    key: tenant.key,
    body: { url: receiver.url, eventTypes: ['message.sent'] },
    headers: { 'idempotency-key': 'the-endpoint' },
  })
  assert.equal(endpoint.status, 201, JSON.stringify(endpoint.body))

  await mdkHere(env, 'backup')
  const early = await post(service.url, 'early')
  await isSent(service.url, early)
  await until('its webhook was answered', async () => receiver.delivered.length === 1 && receiver.open === 0)
  isHeld = true
  const told = await post(service.url, 'told')
  await isSent(service.url, told)
  await until('its webhook came', () => receiver.delivered.length === 2)
  relayDefers = true
  const open = await post(service.url, 'open')

  const at = await inside(async (database) => {
    const { rows } = await database.pool.query('select clock_timestamp() as at')
    return rows[0].at as string
  })
  answered.resolve()
  relayDefers = false
  await isSent(service.url, open)
  const late = await post(service.url, 'late')
  await isSent(service.url, late)
  await until('their webhooks came', () => receiver.delivered.length === 4 && receiver.open === 0)
  const page = await ask(service.url, '/v1/events?limit=100')
  const cursor = page.headers.get('mdk-resume-cursor') as string
  await inside((database) => database.pool.query('select pg_switch_wal()'))
  await until('all of it is carried away', async () => {
    const waiting = [join(dataDir, 'postgres-archive'), join(dataDir, 'to-back-up')].map((folder) => readdir(folder))
    return (await Promise.all(waiting)).flat().length === 0
  })
  await service.stop()
  assert.deepEqual([sink.mails.length, receiver.delivered.length], [4, 4])

  const beyond = await mdkInside((await ground.another()).env, 'restore', '--from', place, '--to-time', '2100-01-01')
  assert.match(beyond.stderr, /the log there does not reach 2100-01-01T00:00:00.000000Z: restore without --to-time/)

  const end = await ground.another()
  const whole = await mdkHere(end.env, 'restore', '--from', place)
  assert.deepEqual([whole.missing, whole.missingLog], [0, null])
  await insideDataFolder(end.dataDir, async (database) => {
    const { rows } = await database.pool.query('select id from messages order by id')
    assert.deepEqual(
      rows.map(({ id }) => id),
      [early, told, open, late],
    )
    await assertWhole(database, await openFileStore(join(end.dataDir, 'objects')))
  })

  const other = await ground.another()
  const restored = await mdkHere(other.env, 'restore', '--from', place, '--to-time', at)
  assert(restored.recoveredTo <= at && restored.missing === 0, JSON.stringify(restored))
  // Of this one what comes is carried away too, to the same place, beside what came of the first.
  const anew = await startService({ ...other.env, MDK_BACKUP_TO: place })
  for (const id of [early, told, open]) await isSent(anew.url, id)
  assert.equal((await ask(anew.url, `/v1/messages/${late}`)).status, 404)
  assert.equal((await ask(anew.url, `/v1/messages/${early}/raw`)).status, 200)
  const again = await post(anew.url, 'late')
  assert.notEqual(again, late, 'what was answered later is forgotten, with its idempotency key')
  assert.equal(await post(anew.url, 'early'), early)
  await isSent(anew.url, again)

  // Mail: `open` was on its way at that moment, and goes once more, as it was. Nothing else does.
  const subjects = sink.mails.map(({ bytes }) => /^Subject: (\w+)/m.exec(bytes.toString())?.[1])
  assert.deepEqual(subjects, ['early', 'told', 'open', 'late', 'open', 'late'])
  const idOf = (n: number) => /^Message-ID: (.*)$/im.exec(String(sink.mails[n]?.bytes))?.[1]
  assert.equal(idOf(4), idOf(2))
  // Webhooks: that of `told` was under way, and comes again with its id; those of `open` and `late` are of new events.
  await until('the webhooks came', () => receiver.delivered.length === 7)
  const heard = receiver.delivered.map(({ event, headers }) => [event.data.id, headers['service-webhook-id']])
  assert.deepEqual(
    heard
      .slice(4)
      .map(([id]) => id)
      .sort(),
    [told, open, again].sort(),
  )
  const idsOf = (id: string) => new Set(heard.filter(([of]) => of === id).map(([, webhookId]) => webhookId))
  assert.deepEqual([idsOf(told).size, idsOf(open).size], [1, 2])
  // The feed: whoever had read further gets what is new, and that alone.
  const news = await until('the feed has it', async () => {
    const { body } = await ask(anew.url, `/v1/events?limit=100&cursor=${encodeURIComponent(cursor)}`)
    return body.items.length >= 3 ? body.items : undefined
  })
  assert.deepEqual(
    news.map((event: { type: string; data: { id: string } }) => [event.type, event.data.id]).sort(),
    [
      ['message.queued', again],
      ['message.sent', again],
      ['message.sent', open],
    ].sort(),
  )
  await anew.stop()
  const { stderr } = await mdkInside({ ...other.env, MDK_BACKUP_TO: place }, 'backup')
  assert.equal(stderr, '')
  const { items } = await mdkHere(env, 'backup', 'list')
  assert.equal(items.length, 2)
  assert.deepEqual((await mdkHere(env, 'backup', 'verify')).faults, [])
})
