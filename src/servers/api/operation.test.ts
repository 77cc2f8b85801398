// What the types of a declaration hold its code to. The compiler checks the lines that are marked: one without a fault is a
// fault itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyContextConfig } from 'fastify'
import pino from 'pino'
import { Type } from '../../lib/schema-types.ts'
import { Closed, IdParams } from '../../lib/schemas.ts'
import { newId } from '../../lib/uuid.ts'
import { createKeyDoor } from '../http/key-door.ts'
import { buildServer } from '../http/server.ts'
import { defineOperation } from './operation.ts'
import { serveOperations } from './serve-operations.ts'

const doubling = {
  name: 'double',
  method: 'POST',
  path: '/v1/doubles/:doubleId',
  auth: 'signed',
  outsideIpGuard: 'signed',
  params: IdParams('doubleId'),
  query: Closed({ times: Type.Integer({ default: 2 }) }),
  body: Closed({ number: Type.Integer() }),
  answers: { 200: Closed({ result: Type.Integer() }) },
} as const

const double = defineOperation(doubling, ({ offset }: { offset: number }) => async ({ query, body }) => ({
  result: body.number * query.times + offset,
}))

const off = defineOperation({ ...doubling, name: 'off', path: '/v1/off' }, (_: { key: string }) => undefined)

test('an operation is served over what its code asked for, and one that is not offered is absent', async () => {
  const app = buildServer({ log: pino({ level: 'silent' }), onAnswer: () => {} })
  serveOperations(app, [double, off], { offset: 1, key: 'x' })
  const asked = await app.inject({ method: 'POST', url: `/v1/doubles/${newId()}`, payload: { number: 20 } })
  assert.deepEqual([asked.statusCode, asked.json()], [200, { result: 41 }])
  assert.equal((await app.inject({ method: 'POST', url: '/v1/off', payload: { number: 20 } })).statusCode, 404)
  // @ts-expect-error: one of them asked for a key.
  const withoutKey = () => serveOperations(app, [double, off], { offset: 1 })
  assert(withoutKey)
})

test('a route is not served that does not say who may ask, or names a scope and no key', () => {
  const doors = { key: createKeyDoor({ verifyKey: async () => undefined }) }
  const app = buildServer({ log: pino({ level: 'silent' }), doors, onAnswer: () => {} })
  const scope = 'messages:read'
  const configs: FastifyContextConfig[] = [
    {},
    { scope },
    { auth: 'key' },
    { auth: 'open', scope },
    { auth: 'signed', scope },
    // There is no door for it.
    { auth: 'session' },
  ]
  for (const [i, config] of configs.entries()) {
    assert.throws(() => app.get(`/${i}`, { config }, async () => 'x'), /does not say who may ask/)
  }
  const said: FastifyContextConfig[] = [{ auth: 'key', scope }, { auth: 'signed' }, { auth: 'open' }]
  for (const [i, config] of said.entries()) {
    app.get(`/said/${i}`, { config }, async () => 'x')
  }
})

test('the request and the answer follow from the shapes', () => {
  const code = [
    // @ts-expect-error: there is no such id in its path.
    defineOperation(doubling, () => async ({ params }) => ({ result: params.doubtId.length })),
    // @ts-expect-error: nor such a member of its body.
    defineOperation(doubling, () => async ({ body }) => ({ result: body.numbers })),
    // @ts-expect-error: what it answers is no text.
    defineOperation(doubling, () => async () => ({ result: '41' })),
    // @ts-expect-error: nor is it called so.
    defineOperation(doubling, () => async () => ({ answer: 41 })),
  ]
  assert.equal(code.length, 4)
})

test('a declaration says who may ask, and says in words what whoever has a key may ask for', () => {
  const { auth: _auth, outsideIpGuard: _guard, ...rest } = doubling
  const words = { tag: 'Messages', summary: 'Double', description: 'Doubles.' } as const
  const serve = () => undefined
  const declared = [
    defineOperation({ ...rest, auth: 'key', scope: 'messages:read', words }, serve),
    // @ts-expect-error: nothing is said of it.
    defineOperation({ ...rest, auth: 'key', scope: 'messages:read' }, serve),
    // @ts-expect-error: which scope it needs is not said.
    defineOperation({ ...rest, auth: 'key', words }, serve),
    // @ts-expect-error: there is no such scope.
    defineOperation({ ...rest, auth: 'key', scope: 'messages:see', words }, serve),
    // @ts-expect-error: nor such a group in the contract.
    defineOperation({ ...rest, auth: 'key', scope: 'messages:read', words: { ...words, tag: 'Numbers' } }, serve),
    // @ts-expect-error: nobody is named.
    defineOperation({ ...rest, words }, serve),
  ]
  assert.equal(declared.length, 6)
})
