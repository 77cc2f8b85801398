// Repeats requests that the document allows: written in another way they are the same, and changed they are others.
// specification.md#idempotency
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { newId } from '../../src/lib/uuid.ts'
import { type Answer, call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestTenant } from '../support/tenant.ts'
import { allowedRequests, isAllowed, OPERATIONS, type Operation } from './documented-requests.ts'
import type { Known } from './documented-values.ts'
import { hold, REQUESTS, SEED } from './property.ts'
import { spoilt } from './spoilt-values.ts'

const RUNS = REQUESTS / 60

const { database } = await createTestDatabase()
const { url } = await startTestApi(database)
const { key, mailboxId } = await createTestTenant(database)
const known: Known = { mailboxId: [mailboxId], fromMailboxId: [mailboxId], attachmentIds: [], url: [] }

/** Those that name nothing in their path: what they come to does not change meanwhile. */
const KEYED = OPERATIONS.filter(
  ({ pattern, parameters, requestBody }) =>
    requestBody && !pattern.includes('{') && parameters?.some(({ name }) => name === 'Idempotency-Key'),
)

describe(`requests with a key (FUZZ_SEED=${SEED})`, () => {
  for (const [i, operation] of KEYED.entries()) {
    test(`${operation.operationId}: the same comes to the same, and another is refused`, async () => {
      const bodies = allowedRequests(operation, known).map(({ body }) => body)
      const pairs = bodies.chain((body) =>
        fc.record({ body: fc.constant(body), other: fc.oneof(spoilt(body), bodies), seed: fc.nat() }),
      )
      let conflicts = 0
      await hold(i, pairs, RUNS, async ({ body, other, seed }) => {
        const idempotencyKey = newId()
        const first = await ask(operation, idempotencyKey, JSON.stringify(body))
        const again = await ask(operation, idempotencyKey, writtenOtherwise(body, seed))
        assert.deepEqual([again.status, outcomeOf(again)], [first.status, outcomeOf(first)])
        if (first.status >= 400) return
        assert.equal(again.headers.get('idempotent-replayed'), 'true')
        const draft = { path: {}, query: [], header: { 'Idempotency-Key': idempotencyKey }, body: other }
        if (!isAllowed(operation, draft) || isDeepStrictEqual(logical(other), logical(body))) return
        const changed = await ask(operation, idempotencyKey, JSON.stringify(other))
        assert.deepEqual([changed.status, changed.body.code], [409, 'idempotency_conflict'])
        conflicts++
      })
      assert(conflicts > 0, 'none of them was another')
    })
  }
})

function ask({ method, pattern }: Operation, idempotencyKey: string, body: string): Promise<Answer> {
  return call(url, method, pattern, { key, headers: { 'idempotency-key': idempotencyKey }, body })
}

/** What is the same each time: a signed URL is fresh, and so is the id of a request. */
function outcomeOf({ body }: Answer): unknown {
  const { upload, requestId: _requestId, ...outcome } = body
  return upload ? { ...outcome, expiresAt: upload.expiresAt } : outcome
}

/** The same JSON with its members in another order and blanks between them. */
function writtenOtherwise(body: unknown, seed: number): string {
  const members = Object.entries(body as object)
  const turned = [...members.slice(seed % members.length), ...members.slice(0, seed % members.length)].reverse()
  return `\n ${JSON.stringify(Object.fromEntries(turned), null, 1 + (seed % 3))}\t`
}

/** What a request says: what is left out is what it would be, and the case of ids says nothing. */
function logical(body: unknown): unknown {
  const defaults = { cc: [], bcc: [], subject: '', attachmentIds: [], text: null, html: null }
  const said = { ...defaults, ...(body as Record<string, unknown>) }
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => [name, /mailboxid$/i.test(name) ? String(value).toLowerCase() : value]),
  )
}
