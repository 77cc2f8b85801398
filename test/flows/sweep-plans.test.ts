// That a sweep which finds nothing expired costs nothing, however much there is that has not: its moment is a bound that
// an index is entered by, not one that every row is held against. And that other statements stay at what they look up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productionOf } from '../../src/access/actor.ts'
import { countEvents } from '../../src/activity/count-events.ts'
import { sweepRateCounts } from '../../src/apps/rate-counts.ts'
import { sweepKeyUse } from '../../src/apps/record-key-use.ts'
import { sweepUnattached, sweepUploads } from '../../src/attachments/sweep-attachments.ts'
import { pageAudit } from '../../src/audit/page-audit.ts'
import { AUDIT_KEPT_DAYS, sweepAudit } from '../../src/audit/sweep-audit.ts'
import { forgetSenders } from '../../src/events/forget-senders.ts'
import { sweepIdempotencyKeys } from '../../src/idempotency/sweep-keys.ts'
import { sweepRemovals } from '../../src/lib/object-removals.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import { searchMailboxes } from '../../src/mailboxes/search-mailboxes.ts'
import type { SendRow } from '../../src/messages/accept-messages.ts'
import { applyOutcomes } from '../../src/messages/apply-outcomes.ts'
import { placeAttachments } from '../../src/messages/place-attachments.ts'
import { sweepReceipts } from '../../src/messages/receive/receipts.ts'
import { sweepUnreadReports } from '../../src/messages/receive/unread-reports.ts'
import { sweepExpired, sweepTrash } from '../../src/messages/sweep-messages.ts'
import { giveUpNotices, sweepNotices } from '../../src/notices/sweep-notices.ts'
import { listBouncedAddresses } from '../../src/suppressions/list-bounced-addresses.ts'
import { sweepBouncedAddresses, sweepBounces } from '../../src/suppressions/sweep-bounces.ts'
import { sweepDevices } from '../../src/users/known-devices.ts'
import { sweepLinkRequests } from '../../src/users/link-requests.ts'
import { sweepLinks } from '../../src/users/links.ts'
import { sweepChallenges } from '../../src/users/passkey-challenge.ts'
import { sweepSessions } from '../../src/users/sessions.ts'
import { sweepSignInFailures } from '../../src/users/sign-in-delay.ts'
import { sweepReplays } from '../../src/webhooks/replays/sweep-replays.ts'
import { sweepOldDeliveries } from '../../src/webhooks/sweep-webhooks.ts'
import { tellOfFailingEndpoints } from '../../src/webhooks/tell-failing-endpoints.ts'
import { followAll, writeMessages } from '../support/activity.ts'
import { openTestStore } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { makeOneOfEach, openVerbDeps } from '../support/one-of-each.ts'
import { operatorOf } from '../support/operator.ts'
import { flushStatistics } from '../support/statistics.ts'
import { createTestTenant } from '../support/tenant.ts'
import { recordStatements } from '../support/tenant-scope.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()

/** What each sweep finds its rows by. */
const SWEEPS: [string, (db: typeof database) => Promise<number>][] = [
  ["at AT TIME ZONE 'UTC'::text\\)", (db) => sweepAudit(db, 100)],
  ['occurred_at', (db) => forgetSenders(db, AUDIT_KEPT_DAYS, 100)],
  ['received_at', (db) => sweepReceipts(db, 100)],
  ['received_at', (db) => sweepUnreadReports(db, 100)],
  ['expires_at', (db) => sweepUploads(db, 100)],
  ['created_at', (db) => sweepUnattached(db, 100)],
  ['trashed_at', (db) => sweepTrash(db, 1, 100)],
  ['created_at', (db) => sweepExpired(db, 100)],
  ['expires_at', (db) => sweepIdempotencyKeys(db, 100)],
  ['due_at', (db) => sweepRemovals(db, store, 100)],
  ['window_start', (db) => sweepRateCounts(db, 100)],
  ['day', (db) => sweepKeyUse(db, 100)],
  ['at', (db) => sweepBounces(db, 100)],
  ['last_at', (db) => sweepBouncedAddresses(db, 100)],
  ['id', (db) => sweepOldDeliveries(db, 100)],
  ['ended_at', (db) => sweepReplays(db, 100)],
  ['created_at', (db) => sweepSessions(db, 100)],
  ['expires_at', (db) => sweepLinks(db, 100)],
  ['answered_at', (db) => sweepChallenges(db, 100)],
  ['last_failed_at', (db) => sweepSignInFailures(db, 100)],
  ['since', (db) => sweepLinkRequests(db, 100)],
  ['created_at', (db) => sweepNotices(db, 100)],
  ['expires_at', async (db) => (await giveUpNotices(db, 100)).length],
  ['last_seen_at', (db) => sweepDevices(db, 100)],
  ['failing_since', (db) => tellOfFailingEndpoints(db, 100)],
]

for (const [column, sweep] of SWEEPS) {
  test(`${sweep.toString().slice(8)} enters an index by ${column}`, async () => {
    const recorded = recordStatements(database)
    await sweep(recorded.database)
    const searches = [...recorded.statements].filter((statement) => statement.includes('statement_timestamp()'))
    assert.notEqual(searches.length, 0)
    const client = await database.connect('plans')
    try {
      // Few rows are read whole; so many as to matter are not.
      await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off')
      for (const statement of searches) {
        const { rows } = await client.query(`explain (generic_plan, costs off) ${statement}`)
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
        assert.match(plan, new RegExp(`Index Cond: .*\\b${column} <`), plan)
      }
    } finally {
      await client.end()
    }
  })
}

test('the attachments of a send are looked up one by one, and no table is read whole for them', async () => {
  const recorded = recordStatements(database)
  const [tenantId, mailboxId] = [newId(), newId()]
  const row = { mailbox_id: mailboxId } as SendRow
  const actor = { tenantId, environmentId: tenantId }
  const placed = await placeAttachments(recorded.database, actor, [newId()], row)
  assert.deepEqual(placed, { attachments: [], refusal: 'no_attachment', missing: 0 })
  const client = await database.connect('plans')
  try {
    // As when statistics make each look-up seem dear.
    await client.query('set enable_indexscan = off; set enable_indexonlyscan = off; set enable_bitmapscan = off')
    for (const statement of recorded.statements) {
      const { rows } = await client.query(`explain (generic_plan, costs off) ${statement}`)
      const plan = rows.map((line) => line['QUERY PLAN']).join('\n')
      assert.match(plan, /message_attachments/)
      assert.doesNotMatch(plan, /hashed|Hash/, plan)
    }
  } finally {
    await client.end()
  }
})

test('a page of the audit log walks through the records of its own tenant, and of the operation that is looked for', async () => {
  const { tenantId } = await createTestTenant(database)
  await database.pool.query(
    `insert into audit_log (tenant_id, id, at, account, operation, resource_type)
     select $1, gen_random_uuid(), clock_timestamp() - n * interval '1 second', 'root',
       case when n % 1000 = 0 then 'key.create' else 'updateMessage' end, 'message'
     from generate_series(1, 20000) n order by n desc`,
    [tenantId],
  )
  await database.pool.query('analyze audit_log')
  const recorded = recordStatements(database)
  assert.deepEqual(
    (await pageAudit(recorded.database, operatorOf(tenantId), { limit: 50, operation: 'key.revoke' })).items,
    [],
  )
  const [statement, ...others] = recorded.statements
  assert.deepEqual(others, [])
  // As it is planned once and for all filters.
  const { rows } = await database.pool.query(`explain (generic_plan, costs off) ${statement}`)
  const plan = rows.map((line) => line['QUERY PLAN']).join('\n')
  assert.match(plan, /using audit_log_by_operation on/)
  assert.doesNotMatch(plan, /audit_log_by_age|Scan on audit_log/, plan)
})

test('mailboxes are found by how they begin along an index, however many begin so', async () => {
  const { tenantId } = await createTestTenant(database)
  const recorded = recordStatements(database)
  await searchMailboxes(recorded.database, operatorOf(tenantId), { text: 'a', id: null }, 5)
  const client = await database.connect('plans')
  try {
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off')
    for (const statement of recorded.statements) {
      const { rows } = await client.query(`explain (generic_plan, costs off) ${statement}`)
      const plan = rows.map((line) => line['QUERY PLAN']).join('\n')
      assert.match(plan, /using mailboxes_by_address on/)
      assert.doesNotMatch(plan, /Sort/, plan)
    }
  } finally {
    await client.end()
  }
})

test('who bounced within a time is found along the bounces in their order, and by address, whatever else there is', async () => {
  const { tenantId } = await createTestTenant(database)
  const recorded = recordStatements(database)
  const within = { limit: 50, since: '2026-03-01', until: '2026-04-01' }
  await listBouncedAddresses(recorded.database, operatorOf(tenantId), within)
  const client = await database.connect('plans')
  try {
    await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off')
    assert.equal(recorded.statements.size, 2)
    for (const statement of recorded.statements) {
      const { rows } = await client.query(`explain (generic_plan, costs off) ${statement}`)
      const plan = rows.map((line) => line['QUERY PLAN']).join('\n')
      assert.match(plan, /using bounces_in_time on bounces b/)
      assert.doesNotMatch(plan, /Seq Scan on bounces|Sort Key: b\.at DESC, b\.id DESC\n.*\n.*bounces_in_time/, plan)
    }
  } finally {
    await client.end()
  }
})

test('whether all events are counted is seen at the end of the log, however many are behind it', async () => {
  const { tenantId } = await createTestTenant(database)
  const realm = productionOf(tenantId)
  await writeMessages(
    database,
    realm,
    Array.from({ length: 4_000 }, () => ({})),
  )
  await followAll(database)
  await database.pool.query('analyze events, activity_cursors')
  const before = await timesReadWhole('events')
  const isCurrent = async () => {
    return (await countEvents(database, operatorOf(tenantId), { days: 1, timeZone: 'UTC' })).isCurrent
  }
  assert.equal(await isCurrent(), true)
  await writeMessages(database, realm, [{}])
  assert.equal(await isCurrent(), false)
  assert.equal(await timesReadWhole('events'), before)
})

test('an outcome of a message reads no table whole, however young and small they are', async () => {
  const { maker, messageId } = await makeOneOfEach(await openVerbDeps(database), 'production')
  const { tenantId } = maker
  await database.pool.query(
    `insert into message_states (tenant_id, message_id, status, open, recipients)
     select $1, gen_random_uuid(), 'queued', 1, '[]' from generate_series(1, 4000)`,
    [tenantId],
  )
  const readWhole = () => timesReadWhole('messages', 'message_states')
  const before = await readWhole()
  const recipients = [{ position: 0, status: 'sent' as const, smtpCode: 250, enhancedCode: null, diagnostic: 'ok' }]
  await database.transaction((tx) => applyOutcomes(tx, [{ tenantId, messageId, recipients, stored: { sizeBytes: 1 } }]))
  assert.equal(await readWhole(), before)
})

test('an attempt that is not the last changes no column that an index of deliveries names, so that its row keeps to its page', async () => {
  const indexes = await database.rows(sql<{ text: string }>`
    select pg_get_indexdef(indexrelid) as text from pg_index where indrelid = 'webhook_deliveries'::regclass`)
  assert.equal(indexes.length, 4)
  for (const { text } of indexes) {
    // Null until it is dead.
    const named = text.endsWith('WHERE (dead_at IS NOT NULL)') ? text.replaceAll('dead_at', '') : text
    assert.doesNotMatch(named, /status|attempt|reception|last_|cycle|delivered_at|dead_at/, text)
  }
})

/** How often these were read from end to end, by everybody so far. */
async function timesReadWhole(...tables: string[]): Promise<number> {
  await flushStatistics(database)
  const row = await database.first(sql<{ n: number }>`
    select sum(seq_scan)::integer as n from pg_stat_user_tables where relname = any(${tables}::text[])`)
  return row?.n ?? assert.fail()
}
