// Messages of one tenant, sent over the API: where each has got to, and workers that submit them when they are started.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { claimJobs, NO_LANE } from '../../src/lib/queue/claim-jobs.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { OUTBOUND_QUEUE } from '../../src/messages/accept-messages.ts'
import { checkInvariants } from '../../src/ops/invariants.ts'
import { call, send } from './api.ts'
import { type SinkBehaviour, startSmtpSink } from './smtp-sink.ts'
import type { TestTenant } from './tenant.ts'
import { until } from './until.ts'
import { startTestOutbound, type TestOutboundOptions } from './workers.ts'

/** Nothing falls due by itself within a test. */
export const NEVER = { firstMs: 3_600_000, mostMs: 3_600_000 }

interface Recipient {
  status: string
  smtpCode: number | null
  diagnostic: string | null
  attempts: number
  nextAttemptAt: string | null
}

export function messagesOf(database: Database, url: string, tenant: TestTenant) {
  async function accept(to = ['someone@example.test'], from = tenant): Promise<Uuid> {
    const answer = await send(url, from.key, { fromMailboxId: from.mailboxId, to, subject: 'Hi', text: 'Hello' })
    assert.equal(answer.status, 202, JSON.stringify(answer.body))
    return answer.body.id
  }

  async function read(id: Uuid, key = tenant.key): Promise<{ status: string; recipients: Recipient[] }> {
    return (await call(url, 'GET', `/v1/messages/${id}`, { key })).body.message
  }

  const isSent = (id: Uuid) => until('it is sent', async () => (await read(id)).status === 'sent')

  const typesOf = async (id: Uuid) =>
    (
      await database.rows(
        sql<{ type: string }>`select type from events where resource_id = ${id} order by epoch, xid, seq`,
      )
    ).map(({ type }) => type)

  const actsOf = async (id: Uuid) =>
    (
      await database.rows(
        sql<{ operation: string }>`select operation from audit_log where resource_id = ${id} order by at`,
      )
    ).map(({ operation }) => operation)

  const jobOf = (id: Uuid) =>
    database.first(sql<{ state: string; attempt: number | null }>`
    select state, (payload->>'attempt')::integer as attempt from jobs where queue = 'outbound' and subject_id = ${id}`)

  const putOff = (id: Uuid) => until('it was put off', async () => (await jobOf(id))?.state === 'scheduled')

  async function start(behaviour: SinkBehaviour = {}, options: Partial<TestOutboundOptions> = {}) {
    const sink = await startSmtpSink(behaviour)
    after(sink.stop)
    const worker = await startTestOutbound(database, { relayUrl: sink.url, backoff: NEVER, ...options })
    return { sink, worker }
  }

  const claim = (db: Pick<Database, 'rows' | 'first'>) =>
    claimJobs(db, {
      ...{ queue: OUTBOUND_QUEUE, limit: 100, laneCap: 100, receptionBudget: 5, leaseMs: 60_000, after: NO_LANE },
    })

  async function assertInvariants(store: Parameters<typeof checkInvariants>[1]): Promise<void> {
    for (const { name, result, found } of await checkInvariants(database, store)) {
      if (!/bytes|object/.test(name)) assert.equal(result, 'ok', `${name}: ${found}`)
    }
  }

  return { accept, read, isSent, typesOf, actsOf, jobOf, putOff, start, claim, assertInvariants }
}
