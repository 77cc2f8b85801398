import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { after, test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type BodyBounds, createBodyBudget } from './body-budget.ts'

const BOUNDS: BodyBounds = {
  most: 120,
  mostUnsigned: 20,
  freeWithKey: 5,
  paceOctets: 10,
  paceMs: 60_000,
  unsignedMs: 60_000,
}

const full = { code: 'service_unavailable', retryAfterSeconds: 1 }
const slow = { code: 'request_timeout' }

// The waits of a body keep no process alive.
const alive = setInterval(() => {}, 60_000)
after(() => clearInterval(alive))

/** A request whose body comes when the test says so. */
interface Asked {
  /** Whether the budget looks at its body at all. */
  isCounted: boolean
  /** Sends so much of it, and gives how much has been passed on altogether. @throws what the budget ends it with */
  bring(octets: number): Promise<number>
  /** The stream that is read, which fails with what the budget ends it with. */
  body: Readable
  /** Its answer has gone. */
  end(): void
}

function budget(bounds: Partial<BodyBounds> = {}) {
  const bodies = createBodyBudget({ ...BOUNDS, ...bounds })
  return (who: { tenant: string } | { ip: string }, length: number | 'chunks'): Asked => {
    const raw = Object.assign(new EventEmitter(), { closed: false })
    const source = new PassThrough()
    const headers = length === 'chunks' ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }
    const caller = 'tenant' in who ? { tenantId: who.tenant } : null
    const request = { headers, caller, ip: 'ip' in who ? who.ip : '192.0.2.1', routeOptions: { bodyLimit: 90 } }
    const body = bodies.admit(request as unknown as FastifyRequest, { raw } as unknown as FastifyReply, source)
    let passed = 0
    if (body !== source) {
      body.on('data', (chunk: Buffer) => {
        passed += chunk.length
        body.emit('passed')
      })
    }
    return {
      isCounted: body !== source,
      async bring(octets) {
        const passedOn = once(body, 'passed')
        source.write(Buffer.alloc(octets))
        await passedOn
        return passed
      },
      body,
      end: () => void raw.emit('close'),
    }
  }
}

const a = { tenant: 'a' }
const b = { tenant: 'b' }

test('a tenant alone has half of it, counted by what has come and not by what is announced', async () => {
  const ask = budget()
  const announced = Array.from({ length: 10 }, () => ask(a, 60))
  assert.equal(await announced[0]?.bring(59), 59)
  assert.throws(() => ask(a, 6), full)
  assert.equal(await announced[0]?.bring(1), 60)
  await assert.rejects(announced[1]?.bring(6) as Promise<number>, full)
  announced[0]?.end()
  assert.equal(await announced[2]?.bring(60), 60)
})

test('whoever comes finds as much as the largest holds, and two tenants keep no third out', async () => {
  const ask = budget()
  for (const who of [a, b]) {
    const body = ask(who, 'chunks')
    while (await body.bring(6).catch(() => false));
  }
  assert.equal(await ask({ tenant: 'c' }, 15).bring(15), 15)
  assert.equal(await ask({ tenant: 'd' }, 6).bring(6), 6)
})

test('what comes with a key and is small is not looked at; of chunks nobody knows before', async () => {
  const ask = budget()
  assert(!ask(a, 5).isCounted)
  assert(ask(a, 6).isCounted)
  assert.equal(await ask(a, 60).bring(60), 60)
  assert(!ask(a, 5).isCounted)
  assert.equal(await ask(a, 'chunks').bring(5), 5)
  await assert.rejects(ask(a, 'chunks').bring(6), full)
})

test('what has no key shares what there is for it by address, IPv6 by its /64', async () => {
  const ask = budget()
  assert.equal(await ask({ ip: '192.0.2.1' }, 10).bring(10), 10)
  for (const ip of ['192.0.2.1', '192.0.2.1:99', '::ffff:192.0.2.1']) assert.throws(() => ask({ ip }, 1), full, ip)
  assert.equal(await ask({ ip: '2001:db8::1' }, 5).bring(5), 5)
  assert.throws(() => ask({ ip: '2001:db8::2' }, 1), full)
  assert.equal(await ask({ ip: '2001:db8:0:1::1' }, 2).bring(2), 2)
  assert.equal(await ask(a, 60).bring(60), 60, 'tenants have what is theirs')
})

test('a body that is refused for its length, or that is not there, counts for nothing', async () => {
  const ask = budget()
  assert(!ask(a, 91).isCounted)
  assert(!ask({ ip: '192.0.2.1' }, 91).isCounted)
  assert(!ask({ ip: '192.0.2.1' }, 0).isCounted)
  assert.equal(await ask(a, 60).bring(60), 60)
})

test('a body that holds room and brings too little is given up; one that holds none may take its time', async () => {
  const ask = budget({ paceMs: 20 })
  const small = ask(a, 'chunks')
  await small.bring(5)
  const idle = ask(a, 60)
  await idle.bring(30)
  await assert.rejects(once(idle.body, 'end'), slow)
  assert(!small.body.destroyed)
  idle.end()
  assert.equal(await ask(a, 60).bring(60), 60, 'its room is free with its answer')
})

test('a body without a key is there in time, or is given up', async () => {
  const ask = budget({ unsignedMs: 20 })
  const body = ask({ ip: '192.0.2.1' }, 10)
  await body.bring(9)
  await assert.rejects(once(body.body, 'end'), slow)
  body.end()
  assert.equal(await ask({ ip: '192.0.2.1' }, 10).bring(10), 10)
})
