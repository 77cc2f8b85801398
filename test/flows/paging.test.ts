// Following the cursor gives every message that is there throughout exactly once, whatever is written and deleted
// meanwhile, however many share a microsecond, and whatever the page sizes are.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { operatorIn } from '../../src/access/actor.ts'
import { newId } from '../../src/lib/uuid.ts'
import { deleteEntries } from '../../src/messages/delete-entries.ts'
import { listMessages } from '../../src/messages/list-messages.ts'
import { decodePageCursor, NEWEST, type PagePlace } from '../../src/messages/page-cursor.ts'
import type { MessagePage } from '../../src/messages/schemas.ts'
import { call, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { createTestTenant } from '../support/tenant.ts'

const { database } = await createTestDatabase()

/** Messages at these microseconds of one second, in the order of their writing. */
async function write(tenantId: string, mailboxId: string, micros: readonly number[]): Promise<string[]> {
  const ids = micros.map(() => newId())
  await database.pool.query(
    `with given as (
       select n.id, '2026-01-01T00:00:00Z'::timestamptz + n.micros * interval '1 microsecond' as at
       from unnest($3::uuid[], $4::bigint[]) as n (id, micros)
     ),
     message as (
       insert into messages (tenant_id, id, environment_id, created_at, direction, to_addresses, cc_addresses,
         bcc_addresses, subject, preview, received_at)
       select $1, g.id, $1, g.at, 'inbound', '[]', '[]', '[]', '', '', g.at from given g
       returning id, created_at, seq
     )
     insert into message_entries (tenant_id, message_id, mailbox_id, folder, is_read, is_starred, environment_id,
       created_at, seq)
     select $1, m.id, $2, 'inbox', false, false, $1, m.created_at, m.seq from message m`,
    [tenantId, mailboxId, ids, micros],
  )
  return ids
}

const anyMicros = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 })

test('every message present throughout comes once', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyMicros,
      fc.array(anyMicros, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (before, meanwhile, sizes, ofMailbox) => {
        const tenant = await createTestTenant(database)
        const { tenantId, mailboxId } = tenant
        const actor = operatorIn({ kind: 'operator', account: 'tests' }, { tenantId, environmentId: tenantId })
        const there = await write(tenantId, mailboxId, before)
        const doomed = new Set(there.filter((_, i) => i % 4 === 3))
        const seen: string[] = []
        let behind: PagePlace | undefined = NEWEST
        for (let turn = 0; behind; turn++) {
          const limit = sizes[turn % sizes.length] as number
          // Others write and delete at the same time as the page is read.
          const filter = ofMailbox ? { mailboxId } : {}
          const reading: Promise<MessagePage> = listMessages(database, actor, behind, limit, filter)
          const [page] = await Promise.all([
            reading,
            write(tenantId, mailboxId, meanwhile[turn] ?? [3]),
            turn === 1
              ? database.transaction((tx) =>
                  deleteEntries(
                    tx,
                    [...doomed].map((messageId) => ({ tenantId, messageId, mailboxId })),
                    'deleted',
                  ),
                )
              : undefined,
          ])
          assert(page.items.length <= limit)
          seen.push(...page.items.map(({ id }) => id))
          behind = page.nextCursor === null ? undefined : decodePageCursor(page.nextCursor)
          if (turn > 60) break
        }
        assert.equal(new Set(seen).size, seen.length, 'one came twice')
        const missing = there.filter((id) => !doomed.has(id) && !seen.includes(id))
        assert.deepEqual(missing, [], 'one was skipped')
      },
    ),
    { numRuns: 25 },
  )
})

test('a client that reads cursors to the millisecond gets each of the messages that were sent at once', async () => {
  const api = await startTestApi(database)
  const { key, mailboxId } = await createTestTenant(database)
  const send = () =>
    call(api.url, 'POST', '/v1/messages', {
      key,
      headers: { 'idempotency-key': newId() },
      body: { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' },
    })
  const sent = await Promise.all(Array.from({ length: 208 }, send))
  assert(sent.every(({ status }) => status === 202))
  const ids = sent.map(({ body }) => body.id as string).sort()
  for (const query of ['limit=100', 'limit=25', `limit=10&mailboxId=${mailboxId}`]) {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { status, body } = await call(api.url, 'GET', `/v1/messages?${query}${cursor}`, { key })
      assert.equal(status, 200)
      seen.push(...body.items.map(({ id }: { id: string }) => id))
      if (body.nextCursor === null) break
      cursor = `&cursor=${new Date(body.nextCursor).toISOString()}`
    }
    assert.deepEqual(seen.sort(), ids, query)
  }
  await api.stop()
})

test('a message that is sent after another was accepted is the newer of the two', async () => {
  const api = await startTestApi(database)
  const { key, mailboxId } = await createTestTenant(database)
  const send = async () => {
    const { body } = await call(api.url, 'POST', '/v1/messages', {
      key,
      headers: { 'idempotency-key': newId() },
      body: { fromMailboxId: mailboxId, to: ['a@example.test'], text: 'x' },
    })
    return body.id as string
  }
  // Each in a row of its own, beside many others.
  const rows = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const ids: string[] = []
      for (let i = 0; i < 10; i++) ids.push(await send())
      return ids
    }),
  )
  const { rows: stored } = await database.pool.query(
    'select id from messages where mailbox_id = $1 order by created_at, seq',
    [mailboxId],
  )
  const order = new Map(stored.map(({ id }, i) => [id as string, i]))
  for (const ids of rows) {
    const places = ids.map((id) => order.get(id) as number)
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    )
  }
  await api.stop()
})
