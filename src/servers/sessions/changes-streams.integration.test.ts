// Streams over real connections: what keeps them open, what ends them, and who does not read.
import assert from 'node:assert/strict'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { type ReadStream, readStream } from '../../../test/support/change-stream.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createTestParts } from '../../../test/support/role-parts.ts'
import { until } from '../../../test/support/until.ts'
import { type Person, productionOf } from '../../access/actor.ts'
import { appendEvents } from '../../events/append.ts'
import { newId, type Uuid } from '../../lib/uuid.ts'
import {
  type ChangeStreamsDeps,
  createChangeStreams,
  type SessionStanding,
  type StreamTimes,
} from './changes-streams.ts'

const { database } = await createTestDatabase()
const { feed, wakeUps } = createTestParts(database)
after(() => wakeUps.stop())
/** Nothing happens by itself. */
const QUIET: StreamTimes = { beatMs: 2 ** 30, mostBeats: 120, lookMs: 2 ** 30, unseenMs: 30_000 }

interface TestStreams {
  standing: SessionStanding
  open(sessionId?: Uuid): Promise<ReadStream>
  /** Asks for one and reads its first words only. */
  openUnread(): Promise<Socket>
  /** Appends so many events; gives the id of what the last is about. */
  append(count: number): Promise<Uuid>
  /** How many are open. */
  connections(): Promise<number>
  stop(): void
  errors: unknown[]
}

/** The streams of a server of their own, of one tenant. */
async function start(
  options: { times?: Partial<StreamTimes>; lookAt?: ChangeStreamsDeps['lookAt'] } = {},
): Promise<TestStreams> {
  const realm = productionOf(newId())
  const standing: SessionStanding = { tenantId: realm.tenantId, role: 'owner', mailboxes: null }
  const errors: unknown[] = []
  const streams = createChangeStreams({
    feed,
    lookAt: options.lookAt ?? (async (ids) => new Map(ids.map((id) => [id, standing]))),
    headers: { 'x-of': 'the site' },
    onError: (error) => errors.push(error),
    times: { ...QUIET, ...options.times },
  })
  const actor: Person = {
    ...realm,
    kind: 'person',
    personId: newId(),
    role: 'owner',
    signedInRecently: true,
    origin: { requestId: newId(), clientAddress: '192.0.2.1', userAgent: null },
  }
  const app = fastify()
  app.get('/', async (request, reply) => {
    const { session: sessionId = newId() } = request.query as { session?: Uuid }
    await streams.open({ actor, sessionId, address: newId(), cursor: undefined }, reply)
    return reply
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  after(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  return {
    standing,
    open: (sessionId = newId()) => readStream(`${url}/?session=${sessionId}`, {}),
    async openUnread() {
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
      after(() => socket.destroy())
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
      await new Promise((resolve) => socket.once('data', resolve))
      return socket.pause()
    },
    async append(count) {
      const events = Array.from({ length: count }, () => ({
        ...realm,
        ...({ type: 'message.updated', resourceType: 'message' } as const),
        resourceId: newId(),
        data: { mailboxId: newId() },
      }))
      await database.transaction((tx) => appendEvents(tx, events))
      return events.at(-1)?.resourceId as Uuid
    },
    connections: promisify(app.server.getConnections).bind(app.server),
    stop: streams.stop,
    errors,
  }
}

test('a quiet stream says something again and again, and ends when its time is over', async () => {
  const streams = await start({ times: { beatMs: 20, mostBeats: 5 } })
  const stream = await streams.open()
  assert.equal(stream.headers['x-of'], 'the site')
  await stream.ended
  assert.match(stream.text(), /^retry: 2000\nid: [\w-]+\n\n(:\n\n){4}$/)
})

test('who does not read is cut before much waits, and nobody else waits for them', async () => {
  const streams = await start()
  const silent = await streams.openUnread()
  const reader = await streams.open()
  let appended = 0
  while ((await streams.connections()) === 2) {
    const last = await streams.append(2_000)
    appended += 2_000
    await until('the reader has read', () => reader.text().includes(last))
    // A connection of this machine takes a few megabytes by itself.
    assert(reader.text().length < 24_000_000, 'it is never cut')
  }
  const isClosed = new Promise((resolve) => silent.once('close', resolve))
  silent.resume()
  await isClosed
  assert.equal(reader.events().length, appended)
})

test('streams end whose session is gone or stands for something else, and no others', async () => {
  const standings = new Map<Uuid, SessionStanding>()
  const streams = await start({ times: { lookMs: 10 }, lookAt: async () => new Map(standings) })
  const open = async () => {
    const id = newId()
    standings.set(id, streams.standing)
    return { id, stream: await streams.open(id) }
  }
  const [gone, moved, changed, left] = [await open(), await open(), await open(), await open()]
  standings.delete(gone.id)
  await gone.stream.ended
  standings.set(moved.id, { ...streams.standing, tenantId: newId() })
  await moved.stream.ended
  standings.set(changed.id, { ...streams.standing, role: 'admin' })
  await changed.stream.ended
  await streams.append(1)
  await left.stream.have(1)
})

test('who gets, loses or keeps a mailbox with other access is to fetch all anew, once', async () => {
  let looks = 0
  const id = newId()
  const [first, second] = [newId(), newId()]
  let mailboxes = new Map<Uuid, 'read' | 'write'>([[first, 'write']])
  const streams = await start({
    times: { lookMs: 10 },
    async lookAt() {
      looks += 1
      return new Map([[id, { ...streams.standing, mailboxes: new Map(mailboxes) }]])
    },
  })
  const stream = await streams.open(id)
  const reloads = () => stream.events().filter(({ data }) => data.type === 'reload').length
  // The stream began with all of the tenant.
  await until('it was told once', () => reloads() === 1)
  const next: [Uuid, 'read' | 'write'][][] = [
    [[first, 'read']],
    [
      [first, 'read'],
      [second, 'write'],
    ],
    [[second, 'write']],
    [],
  ]
  for (const [i, access] of next.entries()) {
    mailboxes = new Map(access)
    await until('it was told', () => reloads() === i + 2)
  }
  const looksThen = looks
  await until('it was looked at again', () => looks > looksThen + 3)
  assert.equal(reloads(), next.length + 1)
})

test('a look that fails is reported and ends nothing, until sessions were not seen for too long', async () => {
  const fail = () => Promise.reject(new Error('away'))
  const patient = await start({ times: { lookMs: 5, unseenMs: 2 ** 30 }, lookAt: fail })
  const kept = await patient.open()
  await until('it has failed', () => patient.errors.length > 3)
  await patient.append(1)
  await kept.have(1)

  const strict = await start({ times: { lookMs: 5, unseenMs: 20 }, lookAt: fail })
  await (await strict.open()).ended
})

test('a stop ends streams, and lets none begin', async () => {
  const streams = await start()
  const open = await streams.open()
  streams.stop()
  await open.ended
  // The server of this test knows no problems.
  assert.equal((await streams.open()).status, 500)
})
