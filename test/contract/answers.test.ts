// Takes real answers of every operation apart: whatever member is taken away or put in, the tests' harness finds it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call } from '../support/api.ts'
import { assertContract, assertDelivered } from '../support/contract.ts'
import { startContractService } from '../support/contract-service.ts'
import { DOCUMENT, operationAt } from '../support/openapi.ts'
import { until } from '../support/until.ts'
import { type Exchange, useEverything } from '../support/whole-flow.ts'

const service = await startContractService()
const exchanges = await useEverything(service.url, service)

type Json = Record<string, unknown>

/** Where the contract takes any member: what it holds is not the contract's. */
const FREE = /\.(upload\.headers|parameters)$/
/** What an event may lack: it is of a sandbox or not, and only what changed is in it. */
const OPTIONAL = /\.data\.(demo|changes\..*)$/

test('the flow uses every operation of the contract', () => {
  const used = new Set(exchanges.map(({ method, path }) => operationAt(method, path)?.operationId))
  const known = Object.values(DOCUMENT.paths).flatMap((operations) => Object.values(operations))
  assert.deepEqual([...used].sort(), known.map(({ operationId }) => operationId).sort())
})

test('an answer that lacks any one of its members fails', () => {
  let removed = 0
  for (const exchange of exchanges) removed += takeEachAway(exchange.body, () => check(exchange))
  assert(removed > 300, `only ${removed} were removed`)
})

test('an answer with any one member more fails', () => {
  for (const exchange of exchanges) putOneInto(exchange.body, () => check(exchange))
})

test('so does a delivery', async () => {
  const { delivered, handshakes } = service.receiver
  await until('the receiver has heard of every change', () => delivered.length >= 6)
  for (const { event } of [...delivered, ...handshakes]) {
    takeEachAway(event, () => assertDelivered(event))
    putOneInto(event, () => assertDelivered(event))
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
    if (exchange.body !== '') assert.throws(() => check(without(exchange, 'content-type')))
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

/** Takes every member away in turn. Gives their number. @throws AssertionError when `check` does not find one missing */
function takeEachAway(body: unknown, check: () => void): number {
  let removed = 0
  for (const { path, object } of objectsOf(body)) {
    for (const [name, value] of Object.entries(object).filter(([name]) => !OPTIONAL.test(`${path}.${name}`))) {
      delete object[name]
      assert.throws(check, `${path}.${name} is not missed`)
      object[name] = value
      removed++
    }
  }
  check()
  return removed
}

/** Puts a member into every object in turn. @throws AssertionError when `check` does not find it */
function putOneInto(body: unknown, check: () => void): void {
  for (const { path, object } of objectsOf(body)) {
    object.undeclared = null
    assert.throws(check, `${path}.undeclared is not found`)
    delete object.undeclared
  }
  check()
}

/** Every object in a body whose members the contract names, with the way to it. */
function* objectsOf(value: unknown, path = ''): Generator<{ path: string; object: Json }> {
  if (typeof value !== 'object' || value === null || FREE.test(path)) return
  if (!Array.isArray(value)) yield { path, object: value as Json }
  for (const [name, member] of Object.entries(value)) {
    yield* objectsOf(member, Array.isArray(value) ? path : `${path}.${name}`)
  }
}
