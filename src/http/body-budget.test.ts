import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createBodyBudget } from './body-budget.ts'

const bounds = { most: 100, mostOfTenant: 60, mostUnsigned: 20, freeWithKey: 5 }

function requests() {
  const budget = createBodyBudget(bounds)
  /** Gives how to end the request. */
  return (tenantId: string | null, headers: Record<string, string>) => {
    const raw = new EventEmitter()
    const principal = tenantId === null ? null : { tenantId }
    const request = { headers, principal, routeOptions: { bodyLimit: 60 } } as unknown as FastifyRequest
    budget.admit(request, { raw } as unknown as FastifyReply)
    return () => raw.emit('close')
  }
}

const full = { code: 'service_unavailable', status: 503, headers: { 'retry-after': '1' } }
const of = (octets: number) => ({ 'content-length': String(octets) })

test('a tenant has its share, what has no key has one, and all together have no more than there is', () => {
  const admit = requests()
  const end = admit('a', of(60))
  assert.throws(() => admit('a', of(6)), full)
  admit('a', of(5))
  const endUnsigned = admit(null, of(20))
  assert.throws(() => admit(null, of(1)), full)
  admit('b', of(20))
  assert.throws(() => admit('c', of(6)), full)
  end()
  admit('a', of(54))
  admit('c', of(6))
  assert.throws(() => admit('a', of(6)), full)
  endUnsigned()
  admit(null, of(20))
})

test('a body that is refused for its length, or that is not there, counts for nothing', () => {
  const admit = requests()
  admit('a', of(61))
  admit('a', {})
  admit(null, of(0))
  admit('a', of(60))
  admit(null, of(20))
})
