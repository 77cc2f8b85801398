// Takes real answers of every operation apart: whatever member is taken away or put in, the tests' harness finds it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call } from '../support/api.ts'
import { assertContract } from '../support/contract.ts'
import { startContractService } from '../support/contract-service.ts'
import { DOCUMENT, operationAt } from '../support/openapi.ts'
import { type Exchange, useEverything } from '../support/whole-flow.ts'

const service = await startContractService()
const exchanges = await useEverything(service.url, service)

type Json = Record<string, unknown>

/** Where the contract takes any member: what it holds is not the contract's. */
const FREE = /^(upload\.headers|message\.mime|message\.authentication|items\.data)$/

test('the flow uses every operation of the contract', () => {
  const used = new Set(exchanges.map(({ method, path }) => operationAt(method, path)?.operationId))
  const known = Object.values(DOCUMENT.paths).flatMap((operations) => Object.values(operations))
  assert.deepEqual([...used].sort(), known.map(({ operationId }) => operationId).sort())
})

test('an answer that lacks any one of its members fails', () => {
  let removed = 0
  for (const exchange of exchanges) {
    for (const { path, object } of objectsOf(exchange.body)) {
      for (const [name, value] of Object.entries(object)) {
        delete object[name]
        assert.throws(() => check(exchange), `${exchange.method} ${exchange.path}: without ${path}.${name}`)
        object[name] = value
        removed++
      }
    }
    check(exchange)
  }
  assert(removed > 300, `only ${removed} were removed`)
})

test('an answer with any one member more fails', () => {
  for (const exchange of exchanges) {
    for (const { path, object } of objectsOf(exchange.body)) {
      object.undeclared = null
      assert.throws(() => check(exchange), `${exchange.method} ${exchange.path}: with ${path}.undeclared`)
      delete object.undeclared
    }
    check(exchange)
  }
})

test('so does an error', async () => {
  const path = '/v1/messages?limit=0'
  const answer = await call(service.url, 'GET', path, { key: service.tenant.key })
  for (const name of ['code', 'message', 'error', 'requestId']) {
    const { [name]: _removed, ...body } = answer.body
    assert.throws(() => check({ method: 'GET', path, ...answer, body }), name)
  }
  assert.throws(() => check({ method: 'GET', path, ...answer, body: { ...answer.body, stack: 'at …' } }))
})

test('so does an answer of another status, of another type, or without a header that it has', () => {
  for (const exchange of exchanges) {
    assert.throws(() => check({ ...exchange, status: 299 }))
    if (exchange.status !== 204) assert.throws(() => check(without(exchange, 'content-type')))
    assert.throws(() => check(without(exchange, 'x-request-id')))
  }
})

function check({ method, path, status, headers, body }: Exchange): void {
  assertContract(method, path, status, headers, body)
}

function without(exchange: Exchange, name: string): Exchange {
  const headers = new Headers(exchange.headers)
  headers.delete(name)
  return { ...exchange, headers }
}

/** Every object in a body whose members the contract names, with the way to it. */
function* objectsOf(value: unknown, path = ''): Generator<{ path: string; object: Json }> {
  if (typeof value !== 'object' || value === null || FREE.test(path)) return
  if (!Array.isArray(value)) yield { path, object: value as Json }
  for (const [name, member] of Object.entries(value)) {
    yield* objectsOf(member, Array.isArray(value) ? path : `${path}.${name}`.replace(/^\./, ''))
  }
}
