import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import ipaddr from 'ipaddr.js'
import { Problem } from '../../access/problem.ts'
import type { Limit } from '../../lib/rate-limiter/rate-limiter.ts'
import { createGate, type OutsideIpGuard } from './gate.ts'
import { headersOf, statusOf } from './status-codes.ts'

/** A server with the IP guard alone, what it asks the limiter, and the kinds that are refused. */
async function guarded(ipPerMinute: number) {
  const asked: Limit[] = []
  const refused = new Set<string>()
  const limiter = {
    take(limit: Limit) {
      asked.push(limit)
      return { limit: limit.most, remaining: 0, resetSeconds: 7, refused: refused.has(limit.kind) }
    },
    stop: async () => {},
  }
  const gate = createGate({ limiter, ipPerMinute, ipAllow: [ipaddr.parseCIDR('198.51.100.0/24')] })
  const app = fastify()
  app.addHook('onRequest', (request, reply) => gate.admitAddress(request, reply))
  app.setErrorHandler((error, _request, reply) => {
    assert(error instanceof Problem)
    return reply.code(statusOf(error.code)).headers(headersOf(error)).send(error.details)
  })
  const route = (url: string, outsideIpGuard?: OutsideIpGuard) =>
    app.get(url, { config: { operation: 'docs', ...(outsideIpGuard ? { outsideIpGuard } : {}) } }, async () => 'ok')
  route('/')
  route('/signed', 'signed')
  route('/report', 'report')
  const get = (url: string, remoteAddress = '192.0.2.1') => app.inject({ url, remoteAddress })
  return { get, asked, refused }
}

test('what is signed in another way is counted apart from the rest, by a bound of its own', async () => {
  const { get, asked, refused } = await guarded(120)
  for (const url of ['/', '/signed', '/report', '/nowhere']) await get(url)
  assert.deepEqual(
    asked.map(({ kind, most }) => [kind, most]),
    [
      ['ip', 120],
      ['signed', 6_000],
      ['report', 60_000],
      ['ip', 120],
    ],
  )
  assert(asked.every(({ subject, windowMs }) => subject === '192.0.2.1' && windowMs === 60_000))
  for (const [kind, url, others] of [
    ['ip', '/', ['/signed', '/report']],
    ['signed', '/signed', ['/', '/report']],
    ['report', '/report', ['/', '/signed']],
  ] as const) {
    refused.add(kind)
    const answer = await get(url)
    assert.deepEqual([answer.statusCode, answer.json(), answer.headers['retry-after']], [429, { limit: 'ip' }, '7'])
    for (const other of others) assert.equal((await get(other)).statusCode, 200)
    refused.clear()
  }
})

test('allowed addresses are not counted, and 0 turns the guard off', async () => {
  const on = await guarded(120)
  await on.get('/', '198.51.100.7')
  await on.get('/', '198.51.101.7')
  assert.deepEqual(
    on.asked.map(({ subject }) => subject),
    ['198.51.101.7'],
  )
  const off = await guarded(0)
  for (const url of ['/', '/signed', '/report']) assert.equal((await off.get(url)).statusCode, 200)
  assert.deepEqual(off.asked, [])
})
